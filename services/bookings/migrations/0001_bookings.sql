-- For the exclusion constraint of `booking_units`, over the unit's id and a time range.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Copies of catalog's tools and accounts' people, as of `version` of each. A tool has a row even if its removal arrived first:
-- otherwise a late `ToolListed` would list it again.
CREATE TABLE tools (
  id uuid PRIMARY KEY,
  version integer NOT NULL,
  owner_id uuid NOT NULL,
  name text NOT NULL DEFAULT '',
  description text NOT NULL DEFAULT '',
  cover_image text NOT NULL DEFAULT 'null',
  price_cents integer NOT NULL DEFAULT 0,
  circle text NOT NULL DEFAULT 'daily' CHECK (circle IN ('daily', 'hourly')),
  status text NOT NULL DEFAULT 'Unavailable' CHECK (status IN ('Available', 'Unavailable')),
  units integer NOT NULL DEFAULT 0,
  time_zone text NOT NULL DEFAULT 'UTC',
  removed_at timestamptz
);

CREATE TABLE people (
  id uuid PRIMARY KEY,
  version integer NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  image text NOT NULL,
  country text NOT NULL,
  state text NOT NULL,
  city text NOT NULL,
  address text NOT NULL
);

-- One row per physical unit. Rows are only added. If a tool has fewer units now, only those whose `number` is at most
-- `tools.units` can be booked; the others keep their bookings.
CREATE TABLE units (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  tool_id uuid NOT NULL REFERENCES tools,
  number integer NOT NULL,
  UNIQUE (tool_id, number)
);

CREATE TABLE holds (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'live' CHECK (status IN ('live', 'paid', 'ended')),
  version integer NOT NULL DEFAULT 1,
  amount_cents integer NOT NULL,
  expires_at timestamptz NOT NULL,
  payment_started_at timestamptz,
  paid_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'paid') = (paid_by IS NOT NULL))
);
CREATE INDEX holds_live_of_user ON holds (user_id) WHERE status = 'live';
CREATE INDEX holds_live_by_expiry ON holds (expires_at) WHERE status = 'live';

-- A draft (`held`) and the booking that it becomes are the same row. Name, description, picture and price are copied when it is
-- held.
CREATE TABLE bookings (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  hold_id uuid REFERENCES holds,
  status text NOT NULL CHECK (status IN ('held', 'confirmed', 'returned', 'cancelled', 'expired')),
  version integer NOT NULL DEFAULT 1,
  code text NOT NULL,
  -- The code that the client requested. It identifies a repeated `add-rental-booking` even if the code was taken.
  wished_code text,
  user_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  tool_id uuid NOT NULL REFERENCES tools,
  name text NOT NULL,
  description text NOT NULL,
  cover_image text NOT NULL,
  circle text NOT NULL,
  time_zone text NOT NULL,
  price_cents integer NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  period integer NOT NULL CHECK (period > 0),
  total_cents integer NOT NULL CHECK (total_cents = price_cents * period * quantity),
  start_date text NOT NULL,
  start_time text NOT NULL,
  end_date text NOT NULL,
  end_time text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
  created_at timestamptz NOT NULL DEFAULT now(),
  booked_at timestamptz,
  returned_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  UNIQUE (id, status),
  CHECK (status IN ('held', 'expired') OR booked_at IS NOT NULL)
);
-- Only open bookings need unique codes: with six digits, a collision becomes likely (50 %) at about 1,120 codes.
CREATE UNIQUE INDEX bookings_open_code ON bookings (code) WHERE status IN ('held', 'confirmed');
CREATE INDEX bookings_of_hold ON bookings (hold_id);
-- For lists of paid bookings, newest first: the ids are UUIDv7, so they sort by time.
CREATE INDEX bookings_of_owner ON bookings (owner_id, id) WHERE booked_at IS NOT NULL;
CREATE INDEX bookings_of_renter ON bookings (user_id, id) WHERE booked_at IS NOT NULL;
CREATE INDEX bookings_paid ON bookings (id) WHERE booked_at IS NOT NULL;
CREATE INDEX bookings_booked_at ON bookings (booked_at) WHERE booked_at IS NOT NULL;
CREATE INDEX bookings_of_user_by_wish ON bookings (user_id, wished_code);

-- The units of a booking and their times. The foreign key keeps `status` equal to the booking's, so returning, cancelling or
-- expiring a booking frees its dates. The exclusion constraint makes double bookings impossible: of 200 concurrent inserts of one
-- slot, 199 fail with 23P01.
CREATE TABLE booking_units (
  booking_id uuid NOT NULL,
  unit_id uuid NOT NULL REFERENCES units,
  during tstzrange NOT NULL CHECK (NOT isempty(during)),
  status text NOT NULL,
  PRIMARY KEY (booking_id, unit_id),
  FOREIGN KEY (booking_id, status) REFERENCES bookings (id, status) ON UPDATE CASCADE,
  CONSTRAINT booking_units_no_overlap
    EXCLUDE USING gist (unit_id WITH =, during WITH &&) WHERE (status IN ('held', 'confirmed'))
);

-- Payments that succeeded. `unassigned_cents` is neither allocated to a booking nor refunded; `rejected_cents` is refunded without
-- a booking.
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  hold_id uuid,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  unassigned_cents integer NOT NULL CHECK (unassigned_cents BETWEEN 0 AND amount_cents),
  rejected_cents integer NOT NULL DEFAULT 0 CHECK (rejected_cents BETWEEN 0 AND amount_cents),
  succeeded_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payments_unassigned ON payments (user_id, succeeded_at) WHERE unassigned_cents > 0;
CREATE INDEX payments_unassigned_by_age ON payments (recorded_at) WHERE unassigned_cents > 0;

-- Allocations: how much of a payment pays for a booking.
CREATE TABLE draws (
  payment_id uuid NOT NULL REFERENCES payments,
  booking_id uuid NOT NULL REFERENCES bookings,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  refunded_cents integer NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  PRIMARY KEY (payment_id, booking_id)
);
CREATE INDEX draws_of_booking ON draws (booking_id);

CREATE TABLE reviews (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL UNIQUE REFERENCES bookings,
  tool_id uuid NOT NULL REFERENCES tools,
  user_id uuid NOT NULL,
  rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
  comment text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz
);
CREATE INDEX reviews_of_tool ON reviews (tool_id, id);

-- A tool's sums of ratings. `version` is that of its latest `ReviewAdded` event.
CREATE TABLE tool_ratings (
  tool_id uuid PRIMARY KEY REFERENCES tools,
  version integer NOT NULL,
  rating_count integer NOT NULL,
  rating_sum integer NOT NULL
);
