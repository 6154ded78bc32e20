-- The words of a tool's name, and those of its name and description. A trigger writes them, so that replicas of the
-- previous version maintain them too. Each word is stored as written, for prefix search, and as its stem, so that
-- "drills" finds a drill.
ALTER TABLE tools ADD COLUMN name_words tsvector, ADD COLUMN words tsvector;

-- `wordsOf` in the domain splits a typed query the same way.
CREATE FUNCTION plain_words(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  regexp_replace(
    regexp_replace(lower(normalize(written, NFKD)), '[\u0300-\u036f\u0027\u2019]', '', 'g'),
    '[^[:alnum:]]+', ' ', 'g');

CREATE FUNCTION search_words(written text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  strip(to_tsvector('simple', plain_words(written)) || to_tsvector('english', plain_words(written)));

CREATE FUNCTION write_tool_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_words := search_words(NEW.name);
  NEW.words := search_words(NEW.name || ' ' || NEW.description);
  RETURN NEW;
END $$;
CREATE TRIGGER write_tool_words BEFORE INSERT OR UPDATE OF name, description ON tools
  FOR EACH ROW EXECUTE FUNCTION write_tool_words();

-- The distinct words in the names of the tools that are not removed: the candidates for correcting a misspelt word.
-- There are far fewer words than tools, so the comparison stays fast.
CREATE TABLE vocabulary (
  word text PRIMARY KEY,
  -- The number of tools with this word in their name, as of the last count.
  tools integer NOT NULL DEFAULT 0
);
CREATE INDEX vocabulary_alike ON vocabulary USING gin (word gin_trgm_ops);

-- New words are inserted immediately. Updating counts in the same transaction would serialize everyone who lists a
-- drill, so the counts are added up later from this table.
CREATE TABLE vocabulary_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  added text[] NOT NULL,
  removed text[] NOT NULL
);

-- Without numbers: they are unlimited and need no correction.
CREATE FUNCTION vocabulary_words(name text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  ARRAY(SELECT word FROM unnest(tsvector_to_array(to_tsvector('simple', plain_words(name)))) word
        WHERE length(word) BETWEEN 3 AND 30 AND word !~ '^[0-9]+$' ORDER BY word);

CREATE FUNCTION note_vocabulary() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before text[] := '{}';
  after text[] := '{}';
BEGIN
  -- A tool without `words` is older than this migration and was never counted.
  IF TG_OP <> 'INSERT' AND OLD.removed_at IS NULL AND OLD.words IS NOT NULL THEN
    before := vocabulary_words(OLD.name);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.removed_at IS NULL THEN
    after := vocabulary_words(NEW.name);
  END IF;
  IF before = after THEN RETURN NULL; END IF;
  INSERT INTO vocabulary (word) SELECT unnest(after) ON CONFLICT DO NOTHING;
  INSERT INTO vocabulary_changes (added, removed) VALUES (after, before);
  RETURN NULL;
END $$;
CREATE TRIGGER note_vocabulary AFTER INSERT OR DELETE OR UPDATE OF name, removed_at ON tools
  FOR EACH ROW EXECUTE FUNCTION note_vocabulary();

-- Fills the words of existing tools; the next file calls it.
CREATE PROCEDURE fill_tool_words() LANGUAGE plpgsql AS $$
DECLARE
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    -- Skips locked tools, so that neither transaction waits for the other.
    batch := ARRAY(SELECT id FROM tools WHERE id > last AND words IS NULL
                   ORDER BY id LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED);
    UPDATE tools SET name = name WHERE id = ANY (batch);
    COMMIT;
    IF cardinality(batch) > 0 THEN
      last := batch[cardinality(batch)];
    ELSE
      EXIT WHEN NOT EXISTS (SELECT FROM tools WHERE words IS NULL);
      last := '00000000-0000-0000-0000-000000000000';
      PERFORM pg_sleep(0.1);
    END IF;
  END LOOP;
END $$;
