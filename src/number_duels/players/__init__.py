"""Who can sit in a chair: people are asked by the front ends, all others choose here."""
