-- Reviews appear together (docs/adr/0025). `published_at`: null until a review appears. Replicas of 1.0 show each review at once, so
-- theirs are published by default.
ALTER TABLE reviews
  ADD COLUMN owner_rating integer CHECK (owner_rating BETWEEN 1 AND 5),
  ADD COLUMN published_at timestamptz DEFAULT now(),
  ADD COLUMN reply text,
  ADD COLUMN replied_at timestamptz;

-- Owners' reviews of renters. Not in `reviews`: replicas of 1.0 show and count each row of it as a review of a tool.
CREATE TABLE renter_reviews (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL UNIQUE REFERENCES bookings,
  renter_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  care integer NOT NULL CHECK (care BETWEEN 1 AND 5),
  punctuality integer NOT NULL CHECK (punctuality BETWEEN 1 AND 5),
  communication integer NOT NULL CHECK (communication BETWEEN 1 AND 5),
  comment text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz,
  published_at timestamptz,
  hidden_at timestamptz,
  hidden_version integer NOT NULL DEFAULT 0,
  reply text,
  replied_at timestamptz
);
CREATE INDEX renter_reviews_of_renter ON renter_reviews (renter_id, id);

-- Set once the parties without a review were reminded.
ALTER TABLE bookings ADD COLUMN review_reminded_at timestamptz;

CREATE OR REPLACE FUNCTION sum_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT count(*), coalesce(sum(rating), 0) INTO NEW.rating_count, NEW.rating_sum
  FROM reviews WHERE tool_id = NEW.tool_id AND hidden_at IS NULL AND published_at IS NOT NULL;
  RETURN NEW;
END $$;

-- A trigger, because replicas of 1.0 complete bookings too. The tasks check the days again. A migration may not assume that the
-- scheduler's schema exists, so only the function names it.
CREATE FUNCTION schedule_reviews(booking_id uuid, completed_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, to_json(booking_id), run_at => completed_at + days * interval '1 day',
    job_key => task || ':' || booking_id, max_attempts => 32767)
  FROM (VALUES ('remind-reviewers', 11), ('publish-reviews', 14)) AS tasks (task, days);
END $$;
CREATE FUNCTION schedule_reviews_when_completed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_reviews(NEW.id, NEW.completed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_reviews AFTER UPDATE OF status ON bookings FOR EACH ROW
  WHEN (NEW.status = 'completed' AND OLD.status <> 'completed') EXECUTE FUNCTION schedule_reviews_when_completed();
