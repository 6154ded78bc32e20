-- Creating earthdistance needs a superuser; a database owner can create the others.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS cube;
CREATE EXTENSION IF NOT EXISTS earthdistance;

CREATE TABLE categories (
  id uuid PRIMARY KEY,
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
  country text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT '',
  city text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  lat double precision NOT NULL DEFAULT 0,
  lng double precision NOT NULL DEFAULT 0,
  time_zone text NOT NULL DEFAULT 'UTC',
  disabled_version integer NOT NULL DEFAULT 0,
  disabled boolean NOT NULL DEFAULT false
);

CREATE TABLE tools (
  id uuid PRIMARY KEY,
  version integer NOT NULL DEFAULT 1,
  owner_id uuid NOT NULL REFERENCES owners (id),
  -- A removed tool stays in its renters' history, but its category can be deleted.
  category_id uuid REFERENCES categories (id) ON DELETE SET NULL,
  name text NOT NULL,
  description text NOT NULL,
  price_cents integer NOT NULL CHECK (price_cents > 0),
  rental_circle text NOT NULL CHECK (rental_circle IN ('hourly', 'daily')),
  units integer NOT NULL CHECK (units > 0),
  status text NOT NULL DEFAULT 'Available' CHECK (status IN ('Available', 'Unavailable')),
  cover_image text,
  image1 text,
  image2 text,
  image3 text,
  image4 text,
  rating_version integer NOT NULL DEFAULT 0,
  rating_count integer NOT NULL DEFAULT 0,
  rating_sum integer NOT NULL DEFAULT 0,
  rating double precision NOT NULL GENERATED ALWAYS AS (
    CASE WHEN rating_count = 0 THEN 0 ELSE round(rating_sum::numeric / rating_count, 2) END
  ) STORED,
  -- Copied from the owner: an index on tools cannot cover another table.
  place earth NOT NULL,
  owner_disabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  -- When the tool was last listed or edited: only later bookings count toward its status.
  listed_at timestamptz NOT NULL,
  removed_at timestamptz,
  on_offer boolean NOT NULL GENERATED ALWAYS AS (
    status = 'Available' AND NOT owner_disabled AND removed_at IS NULL
  ) STORED,
  CHECK (category_id IS NOT NULL OR removed_at IS NOT NULL)
);

-- One index per sort order, with and without a category, over the tools on offer: a page of 24 reads 24 index
-- entries, however many tools there are. Ids are UUIDv7, so the newest is the greatest.
CREATE INDEX tools_newest ON tools (id) WHERE on_offer;
CREATE INDEX tools_price ON tools (price_cents, id) WHERE on_offer;
CREATE INDEX tools_rating ON tools (rating, id) WHERE on_offer;
CREATE INDEX tools_category_newest ON tools (category_id, id) WHERE on_offer;
CREATE INDEX tools_category_price ON tools (category_id, price_cents, id) WHERE on_offer;
CREATE INDEX tools_category_rating ON tools (category_id, rating, id) WHERE on_offer;
CREATE INDEX tools_near ON tools USING gist (place) WHERE on_offer;
CREATE INDEX tools_category_near ON tools USING gist (category_id, place) WHERE on_offer;
CREATE INDEX tools_name ON tools USING gin (name gin_trgm_ops) WHERE on_offer;
CREATE INDEX tools_owner ON tools (owner_id, id) WHERE removed_at IS NULL;
CREATE INDEX tools_category ON tools (category_id);

-- The bookings of each tool, as far as its status depends on them. Any of a booking's events may create its row.
CREATE TABLE tool_bookings (
  booking_id uuid PRIMARY KEY,
  tool_id uuid NOT NULL,
  quantity integer NOT NULL,
  booked_at timestamptz,
  returned_at timestamptz,
  cancelled_at timestamptz
);
CREATE INDEX tool_bookings_tool ON tool_bookings (tool_id, booked_at);
