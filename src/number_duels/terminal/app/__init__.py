"""The full-screen application, written with Textual."""
