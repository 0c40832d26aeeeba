"""From one map to the next: functions without Qt that return a new plan and leave the old one as it was."""
