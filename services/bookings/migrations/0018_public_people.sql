-- The public form of a last name. Accounts replace the names of a deleted user with "Deleted user".
CREATE FUNCTION last_initial(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN CASE WHEN last_name = '' OR first_name = 'Deleted' AND last_name = 'user' THEN last_name
  ELSE left(last_name, 1) || '.' END;

-- Replicas of 1.0 change reviews that have appeared.
CREATE FUNCTION keep_published_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'review % has appeared, so it cannot be changed', OLD.id;
END $$;
CREATE TRIGGER keep_published_review BEFORE UPDATE OF rating, comment ON reviews FOR EACH ROW
  WHEN (OLD.published_at IS NOT NULL AND (NEW.rating, NEW.comment) IS DISTINCT FROM (OLD.rating, OLD.comment))
  EXECUTE FUNCTION keep_published_review();

-- The sender. Unanswered questions from people whom the owner has blocked don't lower the response rate.
ALTER TABLE question_answers ADD COLUMN renter_id uuid;
