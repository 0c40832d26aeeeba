"""What every game here shares: decisions, events, dice, matches, records, files."""
