//! Orders of calls that explain what they returned.
