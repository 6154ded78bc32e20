-- Creating earthdistance needs a superuser; a database owner can create the others.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS cube;
CREATE EXTENSION IF NOT EXISTS earthdistance;

CREATE TABLE categories (
  id uuid PRIMARY KEY,
  -- Counts changes; the events about a category carry it.
  version integer NOT NULL DEFAULT 1,
  name text NOT NULL,
  image text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX categories_name ON categories (lower(name));

-- A copy of accounts' data. The profile and the disabled state come from two queues in any order, so each has its own
-- version, 0 before its first event.
CREATE TABLE owners (
  id uuid PRIMARY KEY,
  profile_version integer NOT NULL DEFAULT 0,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  email_verified boolean NOT NULL DEFAULT false,
  country text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT '',
  city text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  -- Whether `lat` and `lng` are only the city's.
  place_accuracy text NOT NULL DEFAULT 'city',
  lat double precision NOT NULL DEFAULT 0,
  lng double precision NOT NULL DEFAULT 0,
  time_zone text NOT NULL DEFAULT 'UTC',
  disabled_version integer NOT NULL DEFAULT 0,
  disabled boolean NOT NULL DEFAULT false
);

CREATE TABLE tools (
  id uuid PRIMARY KEY,
  -- Every change increments it; the events carry it.
  version integer NOT NULL DEFAULT 1,
  -- Counts edits of what an owner enters, unlike `version`, which bookings and reviews change too.
  revision integer NOT NULL DEFAULT 1,
  owner_id uuid NOT NULL REFERENCES owners (id),
  -- A removed tool stays in its renters' history, but its category can be deleted.
  category_id uuid REFERENCES categories (id) ON DELETE SET NULL,
  name text NOT NULL,
  description text NOT NULL,
  price_cents integer NOT NULL CHECK (price_cents > 0),
  rental_circle text NOT NULL CHECK (rental_circle IN ('hourly', 'daily')),
  units integer NOT NULL CHECK (units > 0),
  -- The rental terms, as `terms` of the contract; null without any.
  terms jsonb,
  cover_image text,
  image1 text,
  image2 text,
  image3 text,
  image4 text,
  -- The sums over all reviews as of the event with this version.
  rating_version integer NOT NULL DEFAULT 0,
  rating_count integer NOT NULL DEFAULT 0,
  rating_sum integer NOT NULL DEFAULT 0,
  rating double precision NOT NULL GENERATED ALWAYS AS (
    CASE WHEN rating_count = 0 THEN 0 ELSE round(rating_sum::numeric / rating_count, 2) END
  ) STORED,
  -- The owner's place, or the tool's own pick-up place if it has one. Copied from the owner, like `owner_disabled`: an
  -- index on tools cannot cover another table.
  place earth NOT NULL,
  -- Rounded to half a mile; nothing more exact is stored.
  pickup_lat double precision,
  pickup_lng double precision,
  pickup_zip text,
  status text NOT NULL DEFAULT 'Available' CHECK (status IN ('Available', 'Unavailable')),
  owner_disabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  -- When the tool was last listed or edited: only later bookings count toward its status.
  listed_at timestamptz NOT NULL,
  -- When the owner paused the tool. A later listing ends the pause.
  paused_at timestamptz,
  removed_at timestamptz,
  on_offer boolean NOT NULL GENERATED ALWAYS AS (
    status = 'Available' AND NOT owner_disabled AND removed_at IS NULL
  ) STORED,
  -- Written by the triggers below.
  name_words tsvector,
  words tsvector,
  public_json text,
  CHECK (category_id IS NOT NULL OR removed_at IS NOT NULL)
);

-- Milliseconds since 1970, the first 48 bits of a UUIDv7. Orders ids by creation, except within a millisecond.
CREATE FUNCTION created_ms(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint;

-- One index per sort order, with and without a category, over the tools on offer: a page of 24 reads 24 index
-- entries, however many tools there are. Ids are UUIDv7, so the newest is the greatest.
CREATE INDEX tools_newest ON tools (id) WHERE on_offer;
CREATE INDEX tools_price ON tools (price_cents, id) WHERE on_offer;
CREATE INDEX tools_rating ON tools (rating, id) WHERE on_offer;
CREATE INDEX tools_category_newest ON tools (category_id, id) WHERE on_offer;
CREATE INDEX tools_category_price ON tools (category_id, price_cents, id) WHERE on_offer;
CREATE INDEX tools_category_rating ON tools (category_id, rating, id) WHERE on_offer;
-- "Near me" sorts by distance, then newest first, and all tools of a town may be at one distance. With the time in the
-- index, a page reads only its own entries, not every tool in the nearest town.
CREATE INDEX tools_nearest_newest ON tools USING gist (place, created_ms(id)) WHERE on_offer;
CREATE INDEX tools_category_nearest_newest ON tools USING gist (category_id, place, created_ms(id)) WHERE on_offer;
-- Word search.
CREATE INDEX tools_name_words ON tools USING gin (name_words) WHERE on_offer;
CREATE INDEX tools_words ON tools USING gin (words) WHERE on_offer;
-- An owner's tools, and whether a category is in use.
CREATE INDEX tools_owner ON tools (owner_id, id) WHERE removed_at IS NULL;
CREATE INDEX tools_category ON tools (category_id);
-- For the purge.
CREATE INDEX tools_removed ON tools (removed_at) WHERE removed_at IS NOT NULL;

-- Triggers keep the columns that are computed from others, so that no statement can forget one.

-- `place` follows the tool's own pick-up place, also when the statement sets the owner's place.
CREATE FUNCTION keep_pick_up_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.place := ll_to_earth(NEW.pickup_lat, NEW.pickup_lng);
  RETURN NEW;
END $$;
CREATE TRIGGER keep_pick_up_place BEFORE INSERT OR UPDATE OF place, pickup_lat, pickup_lng ON tools
  FOR EACH ROW WHEN (NEW.pickup_lat IS NOT NULL) EXECUTE FUNCTION keep_pick_up_place();

CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER count_revision BEFORE UPDATE OF name, description, price_cents, rental_circle, category_id, units, terms,
    cover_image, image1, image2, image3, image4, pickup_lat, pickup_lng, pickup_zip ON tools
  FOR EACH ROW WHEN (
    (OLD.name, OLD.description, OLD.price_cents, OLD.rental_circle, OLD.category_id, OLD.units, OLD.terms)
      IS DISTINCT FROM
    (NEW.name, NEW.description, NEW.price_cents, NEW.rental_circle, NEW.category_id, NEW.units, NEW.terms)
    OR (OLD.cover_image, OLD.image1, OLD.image2, OLD.image3, OLD.image4, OLD.pickup_lat, OLD.pickup_lng, OLD.pickup_zip)
      IS DISTINCT FROM
    (NEW.cover_image, NEW.image1, NEW.image2, NEW.image3, NEW.image4, NEW.pickup_lat, NEW.pickup_lng, NEW.pickup_zip)
  ) EXECUTE FUNCTION count_revision();

-- The words of a tool's name, and those of its name and description. Each word is stored as written, for prefix search,
-- and as its stem, so that "drills" finds a drill. `wordsOf` in the domain splits a typed query the same way.
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

-- A tool's public JSON, written whenever the tool or its owner changes, so that a list only concatenates strings. The
-- distance and the category are added on reading: renaming a category would otherwise rewrite all of its tools.
--
-- `tool_json` is the single definition of a tool's JSON. `is_private`: with the fields for its owner and admins. The
-- public JSON omits the blocked days: the tool's calendar shows them, and their notes are private.
CREATE FUNCTION tool_json(t tools, o owners, is_private boolean) RETURNS text LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT row_to_json(tool)::text FROM (SELECT
    t.id, t.name, t.description, (t.price_cents / 100.0)::float8 AS price, t.rental_circle,
    t.status AS item_status,
    -- Same as `tools.rating`, a generated column that is not computed yet in a BEFORE trigger.
    CASE WHEN t.rating_count = 0 THEN 0 ELSE round(t.rating_sum::numeric / t.rating_count, 2) END::float8 AS rating,
    t.rating_count AS "reviewCount", t.units AS quantity,
    t.category_id AS "categoryId", t.owner_id AS "userId",
    json_build_object(
      'id', o.id, 'first_name', o.first_name, 'last_name', o.last_name, 'country', o.country,
      'state', o.state, 'city', o.city, 'address', CASE WHEN is_private THEN o.address END,
      'emailVerified', o.email_verified
    ) AS "user",
    coalesce(t.cover_image, 'null') AS cover_image, coalesce(t.cover_image, 'null') AS image,
    coalesce(t.image1, 'null') AS image1, coalesce(t.image2, 'null') AS image2,
    coalesce(t.image3, 'null') AS image3, coalesce(t.image4, 'null') AS image4,
    o.time_zone AS "timeZone",
    CASE WHEN t.pickup_lat IS NULL THEN o.place_accuracy ELSE 'area' END AS "placeAccuracy",
    CASE WHEN is_private AND t.pickup_lat IS NOT NULL
      THEN json_build_object('lat', t.pickup_lat, 'lng', t.pickup_lng, 'zip', coalesce(t.pickup_zip, ''))
    END AS pickup,
    CASE WHEN is_private THEN t.terms ELSE t.terms - 'blocked' END AS terms,
    to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
  ) tool;
END;

CREATE FUNCTION write_public_json() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.public_json := (SELECT tool_json(NEW, o, false) FROM owners o WHERE o.id = NEW.owner_id);
  RETURN NEW;
END $$;
-- On any change, so that no column can be missed. The tool's row is locked by then, also by `write_tools_of_owner`,
-- so the later of two concurrent changes sees the earlier one.
CREATE TRIGGER write_public_json BEFORE INSERT OR UPDATE ON tools
  FOR EACH ROW EXECUTE FUNCTION write_public_json();

CREATE FUNCTION write_tools_of_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tools SET public_json = NULL WHERE owner_id = NEW.id AND removed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER write_tools_of_owner AFTER UPDATE ON owners
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION write_tools_of_owner();

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
  IF TG_OP <> 'INSERT' AND OLD.removed_at IS NULL THEN
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

-- The bookings of each tool, as far as its status, its free dates and its pictures depend on them. Any of a booking's
-- events may create its row. A row can start as a hold, which may become the booking.
CREATE TABLE tool_bookings (
  booking_id uuid PRIMARY KEY,
  tool_id uuid NOT NULL,
  quantity integer NOT NULL,
  held_at timestamptz,
  expired_at timestamptz,
  booked_at timestamptz,
  cancelled_at timestamptz,
  returned_at timestamptz,
  -- A return confirmed by mistake can be undone and confirmed again; the higher event version wins.
  return_version integer,
  return_undone_version integer,
  -- Which numbered units of its tool it takes, and when. Null until an event contains them, and again once a booking is
  -- over.
  starts_at timestamptz,
  ends_at timestamptz,
  units integer[],
  -- The event version that set the dates: `BookingChanged` may arrive before `BookingCreated`.
  dates_version integer NOT NULL DEFAULT 0,
  -- The picture that the booking's parties see permanently, whatever happens to the tool.
  cover_image text
);
CREATE INDEX tool_bookings_tool ON tool_bookings (tool_id, booked_at);
-- A search with dates reads the taken dates of every tool that it passes, so the index covers all columns that it needs.
CREATE INDEX tool_bookings_taken ON tool_bookings (tool_id, ends_at) INCLUDE (starts_at, units)
  WHERE returned_at IS NULL AND cancelled_at IS NULL AND (booked_at IS NOT NULL OR expired_at IS NULL);
-- For the purges of past dates and of unpaid holds.
CREATE INDEX tool_bookings_dated ON tool_bookings (ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX tool_bookings_never_paid ON tool_bookings ((coalesce(expired_at, held_at)))
  WHERE booked_at IS NULL AND returned_at IS NULL AND cancelled_at IS NULL;

-- The tools that a user has saved.
CREATE TABLE saved_tools (
  user_id uuid NOT NULL,
  tool_id uuid NOT NULL REFERENCES tools ON DELETE CASCADE,
  saved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, tool_id)
);
CREATE INDEX saved_tools_by_tool ON saved_tools (tool_id);

-- Stored pictures that nothing refers to, and since when.
CREATE TABLE unused_pictures (
  path text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);
