"""Models on the Lexsi platform, through the real `lexsi-sdk`."""
