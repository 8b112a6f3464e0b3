"""What a person does, without a screen: sessions that every face draws and drives."""
