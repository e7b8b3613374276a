"""What a study declared to decide, at looks before its end as well."""
