-- Replicas of 1.0 add and subtract the stars of hidden reviews too. So each write of a tool's sums counts its reviews again.
CREATE FUNCTION sum_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT count(*), coalesce(sum(rating), 0) INTO NEW.rating_count, NEW.rating_sum
  FROM reviews WHERE tool_id = NEW.tool_id AND hidden_at IS NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER sum_ratings BEFORE INSERT OR UPDATE ON tool_ratings FOR EACH ROW EXECUTE FUNCTION sum_ratings();
