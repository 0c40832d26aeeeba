"""What can be done about a problem at one press: each fix is a draft without it, and says what it does."""
