//! What the schema of a database has.

/// SQL for all columns, indices, constraints, triggers and rules, each with its kind, its table, its name and what it is. What
/// PostgreSQL makes itself for a constraint is part of that.
pub(in super::super) const PARTS: &str = "\
    SELECT 'column', table_name::text, column_name::text, \
        udt_name || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END || coalesce(' DEFAULT ' || column_default, '') \
    FROM information_schema.columns WHERE table_schema = current_schema() \
    UNION ALL \
    SELECT 'index', tablename::text, indexname::text, \
        regexp_replace(replace(indexdef, ' ON ' || quote_ident(schemaname) || '.', ' ON '), '[^ ]+[.]gin_trgm_ops', 'gin_trgm_ops') \
    FROM pg_indexes WHERE schemaname = current_schema() \
    UNION ALL \
    SELECT 'constraint', classes.relname::text, conname::text, pg_get_constraintdef(constraints.oid) \
    FROM pg_constraint AS constraints JOIN pg_class AS classes ON classes.oid = conrelid \
    WHERE connamespace = current_schema()::regnamespace AND contype IN ('c', 'f', 'p', 'u') \
    UNION ALL \
    SELECT 'trigger', classes.relname::text, tgname::text, pg_get_triggerdef(triggers.oid) \
    FROM pg_trigger AS triggers JOIN pg_class AS classes ON classes.oid = tgrelid \
    WHERE classes.relnamespace = current_schema()::regnamespace AND NOT tgisinternal \
    UNION ALL \
    SELECT 'rule', tablename::text, rulename::text, definition FROM pg_rules WHERE schemaname = current_schema()";

/// SQL for whether the extension is there without which there are no trigram indices.
pub(in super::super) const HAS_TRIGRAMS: &str =
    "SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm' AND has_schema_privilege(extnamespace, 'USAGE')";
