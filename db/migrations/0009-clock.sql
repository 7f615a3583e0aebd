-- The shop's clock. `shop_now()` is now() and what the clock was moved forward by, so that a demo can look at what
-- happens in two weeks; outside a demo that is nothing, and stays nothing. Owner: server/platform.
--
-- By the shop's clock go deadlines and what is shown beside them: all of a hold but `releasing_at`, when a booking was
-- made, paid, cancelled or refunded, when somebody joined a line, payments, refunds made and done, disputes opened and
-- closed, and postings. By the real clock, now(), goes what is compared with the world outside or guards it: accounts,
-- sessions, limits (`stopped_at`, `payment_failures`), leases (`releasing_at`, `asked_at`, `claimed_at`), keys, payment
-- intents, the provider's events and its dates (`due_by`), comparisons with it, mail, the audit trail and copies on
-- the shelf.

CREATE TABLE shop_clock (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- a century at most: every date of the shop still has four digits for its year
  ahead_seconds bigint NOT NULL DEFAULT 0 CHECK (ahead_seconds BETWEEN 0 AND 3155760000)
);
INSERT INTO shop_clock DEFAULT VALUES;

CREATE FUNCTION keep_shop_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.ahead_seconds < OLD.ahead_seconds THEN
    RAISE EXCEPTION 'the clock of the shop only moves forward' USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.ahead_seconds > 0 AND NOT EXISTS (SELECT FROM public.shop WHERE demo) THEN
    RAISE EXCEPTION 'the clock of the shop only moves in a demo' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER shop_clock_forward BEFORE UPDATE ON shop_clock FOR EACH ROW EXECUTE FUNCTION keep_shop_clock();
CREATE TRIGGER shop_clock_stays BEFORE DELETE OR TRUNCATE ON shop_clock
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The same all through a transaction, as now() is: moving the clock waits for whoever has read it. In PL/pgSQL, which
-- keeps its plan: a SQL function with a subquery is planned anew by every statement that calls it.
CREATE FUNCTION shop_now() RETURNS timestamptz LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN now() + (SELECT ahead_seconds FROM public.shop_clock) * interval '1 second';
END $$;

-- The shop's role may read the table and not write it: this is its only way.
CREATE FUNCTION move_shop_clock(seconds bigint) RETURNS timestamptz LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  LOCK TABLE public.shop_clock IN ACCESS EXCLUSIVE MODE;
  UPDATE public.shop_clock SET ahead_seconds = ahead_seconds + seconds;
  RETURN public.shop_now();
END $$;

ALTER TABLE bookings ALTER created_at SET DEFAULT shop_now();
ALTER TABLE holds ALTER taken_at SET DEFAULT shop_now();
ALTER TABLE waitlist_entries ALTER joined_at SET DEFAULT clock_timestamp() + (shop_now() - now());
ALTER TABLE payments ALTER created_at SET DEFAULT shop_now();
ALTER TABLE refunds ALTER created_at SET DEFAULT shop_now();
ALTER TABLE disputes ALTER opened_at SET DEFAULT shop_now();
ALTER TABLE ledger_transactions ALTER posted_at SET DEFAULT shop_now();
