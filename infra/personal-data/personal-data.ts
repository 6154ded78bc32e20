import type { ServiceName } from '@lendtools/contracts';

/**
 * What becomes of personal data when its user deletes the account (ADR 21). Personal data names or describes a person, or is what
 * they wrote or showed. Not personal: user ids, and facts that only an id links to a person. The id of a deleted user identifies
 * nobody.
 */
export const fates = {
  replaced: 'replaced by those of "Deleted user", by `AccountUpdated`',
  deleted: 'deleted with the account',
  erased: 'erased by `AccountDeleted`',
  outbox: 'purged 3 days after an event was published',
  replies: 'purged after 3 days',
  counters: 'purged within a day',
  networks: 'stored as hashes, purged after a day',
  errors: 'deleted when the job succeeds; ids, amounts and messages of PostgreSQL or Stripe',
  pictures: 'the file is deleted 7 days after a purge found it unused',
  reports: 'stays until 2 years after the last decision about the report',
  hidden: 'stays with tools that were rented: why an admin hid them',
  received: 'stays, by "Deleted user": others received it',
  records: 'stays with the records of bookings and payments, which the law asks to keep',
  audit: 'stays in the audit log: what an admin did, by the admin’s id',
  names: 'stays on the bookings of renters, without description and pictures',
} as const;
export type Fate = keyof typeof fates;

interface Personal {
  /** The fields by their fate, separated by spaces. */
  personal: Partial<Record<Fate, string>>;
  /** The files of the download with them, or why there is none. */
  download: string;
  other?: string;
}
type Stored = Personal | { personal?: never; download?: never; other: string };

/** In every PostgreSQL database. */
const ofEachDatabase: Record<string, Stored> = {
  outbox_messages: {
    personal: { outbox: 'envelope' },
    download: 'no: copies of other data',
    other: 'id position type aggregate_id version created_at published_at retry_at failures',
  },
  inbox_messages: { other: 'queue event_id handled_at' },
  idempotency_keys: {
    personal: { replies: 'reply' },
    download: 'no: copies of other data',
    other: 'scope route key fingerprint created_at',
  },
  quotas: { other: 'user_id kind used ends_at' },
  failed_rows: {
    personal: { errors: 'error' },
    download: 'no: errors',
    other: 'job row_id failures retry_at failed_at',
  },
  jobs: { other: 'name every_seconds completed_at' },
  reconciliations: { other: 'name next_at reached_at cursor has_failed' },
  schema_migrations: { other: 'name applied_at' },
};

/** Every column of every table, and every field of every collection. */
export const storedData: Record<ServiceName, Record<string, Stored>> = {
  accounts: {
    ...ofEachDatabase,
    users: {
      personal: {
        replaced:
          'user_name first_name last_name email email_verified_at phone password_hash image country state city address place_accuracy lat lng zip time_zone',
      },
      download: 'account/profile.json, pictures; no password hash',
      other:
        'id version role disabled_at access_cut_version access_cut_at created_at deletion_due_at deleted_at',
    },
    sessions: {
      personal: { deleted: 'device network' },
      download: 'account/sessions.json',
      other: 'id user_id created_at expires_at access_until ended_at used_at authenticated_at',
    },
    refresh_tokens: { other: 'hash session_id created_at used_at' },
    mailed_tokens: {
      personal: { deleted: 'new_email' },
      download: 'no: unconfirmed',
      other: 'hash purpose user_id expires_at',
    },
    former_emails: {
      personal: { deleted: 'email' },
      download: 'account/former-emails.json',
      other: 'hash user_id changed_at',
    },
    totp_factors: {
      personal: { deleted: 'secret' },
      download: 'no: a secret',
      other: 'user_id created_at confirmed_at last_step',
    },
    passkeys: {
      personal: { deleted: 'credential_id public_key transports name' },
      download: 'account/passkeys.json: names and times',
      other: 'id user_id counter created_at used_at needs_password',
    },
    spent_challenges: { other: 'hash expires_at' },
    recovery_codes: { personal: { deleted: 'hash' }, download: 'no: a secret', other: 'user_id' },
    data_exports: { other: 'id user_id requested_at run expires_at' },
    data_export_parts: {
      personal: { deleted: 'bytes' },
      download: 'no: downloads themselves',
      other: 'export_id run number',
    },
    reports: {
      personal: { deleted: 'title content images', reports: 'text reporter_email' },
      download: 'account/reports.json: what the user reported',
      other:
        'id number version about content_id author_id booking_id reason reporter_id created_at taken_by waiting_since decision decided_at hides',
    },
    report_appeals: {
      personal: { reports: 'text' },
      download: 'no: the user wrote it to the admins',
      other: 'report_id side hash appealed_at',
    },
    report_decisions: {
      personal: { reports: 'reason' },
      download: 'no: an admin’s; emailed to the user',
      other: 'report_id version decision decided_by decided_at',
    },
    blocks: { other: 'id blocker_id blocked_id version blocked_at' },
    moderated_content: { other: 'about content_id version' },
    audit_entries: {
      personal: { audit: 'details network' },
      download: 'no: how an admin worked',
      other: 'id at actor_id actor_role action subject request_id',
    },
    rate_limits: {
      personal: { counters: 'key' },
      download: 'no: counters',
      other: 'points expire',
    },
    signing_keys: { other: 'kid public_key first_used_at last_used_at' },
    unused_pictures: {
      personal: { pictures: 'path' },
      download: 'no: not shown any more',
      other: 'since',
    },
  },
  catalog: {
    ...ofEachDatabase,
    owners: {
      personal: {
        replaced:
          'first_name last_name email_verified country state city address place_accuracy lat lng time_zone',
      },
      download: 'account/profile.json',
      other: 'id profile_version disabled_version disabled',
    },
    tools: {
      personal: {
        names: 'name name_words',
        erased:
          'description words terms cover_image image1 image2 image3 image4 place pickup_lat pickup_lng pickup_zip public_json',
        hidden: 'hidden_reason',
      },
      download: 'tools/tools.json, pictures',
      other:
        'id version revision owner_id category_id price_cents rental_circle units rating_version rating_count rating_sum rating status owner_disabled created_at listed_at paused_at removed_at on_offer hidden_version',
    },
    tool_bookings: {
      personal: { erased: 'cover_image' },
      download: 'pictures',
      other:
        'booking_id tool_id quantity held_at expired_at booked_at cancelled_at returned_at return_version return_undone_version starts_at ends_at units dates_version',
    },
    saved_tools: {
      personal: { erased: 'user_id' },
      download: 'tools/saved-tools.json',
      other: 'tool_id saved_at',
    },
    blocks: { other: 'blocker_id blocked_id version blocked' },
    categories: { other: 'id version name image created_at' },
    unused_pictures: {
      personal: { pictures: 'path' },
      download: 'no: not shown any more',
      other: 'since',
    },
    vocabulary: { other: 'word tools' },
    vocabulary_changes: { other: 'id added removed' },
  },
  bookings: {
    ...ofEachDatabase,
    people: {
      personal: {
        replaced: 'first_name last_name image country state city address email_verified',
      },
      download: 'account/profile.json',
      other: 'id version',
    },
    tools: {
      personal: { names: 'name', erased: 'description cover_image terms' },
      download: 'tools/tools.json',
      other:
        'id version owner_id price_cents circle status units time_zone owner_disabled removed_at taken_dates_published_at',
    },
    bookings: {
      personal: {
        names: 'name',
        erased: 'description cover_image',
        received: 'cancel_reason',
      },
      download: 'bookings/rentals.json, bookings/lendings.json',
      other:
        'id hold_id status version code wished_code user_id owner_id tool_id circle time_zone cancellation_policy discounts price_cents quantity period discount_cents total_cents start_date start_time end_date end_time starts_at ends_at created_at booked_at change_count changed_at kept_cents most_percent remind_at warned_late_at review_reminded_at reviewable_from returned_at completed_at cancelled_at cancelled_by cancel_cause withheld_cents commission',
    },
    approvals: {
      personal: { received: 'note' },
      download: 'bookings/answers-to-requests.json',
      other:
        'id booking_id change_id hold_id status requested_at answer_by remind_at accepted_at answered_at ended_by charges_at',
    },
    booking_problems: {
      personal: { records: 'text note' },
      download: 'bookings/problems.json',
      other: 'id booking_id kind reported_by opened_at settled_at settled_by',
    },
    reviews: {
      personal: { received: 'comment reply' },
      download: 'bookings/reviews.json, bookings/replies-to-reviews.json',
      other:
        'id booking_id tool_id user_id rating owner_rating created_at changed_at published_at replied_at hidden_at hidden_version',
    },
    renter_reviews: {
      personal: { received: 'comment reply' },
      download: 'bookings/reviews-of-renters.json, bookings/replies-to-reviews.json',
      other:
        'id booking_id renter_id owner_id care punctuality communication created_at changed_at published_at replied_at hidden_at hidden_version',
    },
    question_answers: {
      other: 'thread_id owner_id renter_id sent_at answered_at is_continued created_at',
    },
    refund_grants: {
      personal: { records: 'reason' },
      download: 'no: an admin’s; emailed to the user',
      other: 'id booking_id admin_id amount_cents created_at',
    },
    refund_orders: {
      personal: { names: 'tool_names' },
      download: 'payments/refunds.json',
      other:
        'id payment_id booking_id grant_id change_id is_recovered refund_cents reason ordered_at',
    },
    calendar_feeds: {
      personal: { erased: 'secret_hash' },
      download: 'no: a secret',
      other: 'user_id since',
    },
    disabled_people: { other: 'id version disabled settled_version changed_at' },
    allocations: {
      other:
        'payment_id booking_id amount_cents refunded_cents outside_cents lost_cents held_cents returnable_cents left_cents',
    },
    booking_changes: {
      other:
        'id booking_id hold_id status start_date start_time end_date end_time starts_at ends_at quantity period discount_cents total_cents units due_cents refund_cents kept_cents percent before created_at done_at',
    },
    blocks: { other: 'blocker_id blocked_id version blocked' },
    booking_units: { other: 'booking_id unit_id during status change_id' },
    failed_settlements: { other: 'payment_id first_failed_at failures' },
    holds: {
      other:
        'id user_id status version amount_cents unit_days on_request changes_booking_id expires_at payment_started_at authorized_by paid_by created_at cart_id',
    },
    payments: {
      other:
        'id user_id hold_id amount_cents unassigned_cents rejected_cents stripe_version outside_cents disputed_cents held_cents dispute succeeded_at recorded_at shares_version',
    },
    tool_ratings: { other: 'tool_id version rating_count rating_sum' },
    units: { other: 'id tool_id number' },
  },
  payments: {
    ...ofEachDatabase,
    payments: {
      personal: { networks: 'networks', records: 'intent_id client_secret charge_id failure' },
      download: 'payments/payments.json',
      other:
        'id user_id hold_id amount_cents status version intent_attempt saves_card on_request authorized_at declines failed_authentications expires_at next_check_at succeeded_at reserved_cents refunded_cents outside_cents held_cents lost_cents dispute stripe_changed_at created_at ledger_read_at shares_read_at release_at published_shares shares_version',
    },
    receipts: {
      personal: { records: 'card_brand card_last4' },
      download: 'payments/payments.json',
      other: 'number payment_id refund dated_at tax_name tax_percent issued_at',
    },
    refunds: {
      personal: { names: 'tool_names', records: 'error' },
      download: 'payments/refunds.json',
      other:
        'key payment_id booking_id amount_cents reason status withdrawn_cents attempt tries failures next_try_at refund_id created_at finished_at notified_at',
    },
    customers: {
      personal: { erased: 'customer_id' },
      download: 'no: an id at Stripe; Settings lists the cards',
      other: 'user_id created_at',
    },
    payout_accounts: {
      personal: { records: 'account_id' },
      download: 'payments/payout-account.json',
      other:
        'owner_id state needs_information in_review needed_by version creating_since attempt read_at next_check_at held_by_admin owner_disabled owner_version first_booked_at reminders created_at',
    },
    transfers: {
      personal: { records: 'account_id error' },
      download: 'payments/transfers.json',
      other:
        'id payment_id booking_id owner_id amount_cents status transfer_id attempt without_source tries next_try_at error_code created_at sent_at',
    },
    transfer_reversals: {
      personal: { records: 'error' },
      download: 'no: errors',
      other:
        'id transfer amount_cents status reversal_id is_outside accepted_at attempt tries next_try_at error_code created_at made_at',
    },
    write_offs: {
      personal: { records: 'reason' },
      download: 'payments/write-offs.json',
      other: 'id owner_id admin_id cents created_at',
    },
    disputes: {
      other:
        'dispute_id payment_id amount_cents state status reason answer_by reminded_at requested_at created_at waived_at waived_by',
    },
    expected_transactions: {
      other: 'key payment_id stripe_id cents happened_at transaction_id matched_at posted_at',
    },
    fraud_warnings: {
      other: 'warning_id payment_id fraud_type is_actionable requested_at created_at',
    },
    ledger: {
      other:
        'key line from_account to_account cents payment_id booking_id owner_id stripe_id happened_at posted_at',
    },
    ledger_days: { other: 'day account cents' },
    ledger_openings: { other: 'key posted_at' },
    outside_refunds: { other: 'refund_id payment_id amount_cents status created_at changed_at' },
    payouts: {
      other: 'payout_id owner_id amount_cents status failure_code arrives_at version settled_at',
    },
    stripe_events: { other: 'id type handled_at' },
    waiting_shares: { other: 'booking_id payment_id owner_id cents released_at' },
  },
  messaging: {
    people: {
      personal: { replaced: 'firstName lastName' },
      download: 'account/profile.json',
      other: '_id version',
    },
    threads: {
      personal: { received: 'last', names: 'toolName' },
      download: 'no: copies of messages',
      other:
        '_id ownerId renterId isUnpaid toolId endedAt overAt outVersion returnedVersion question continuedBy parties',
    },
    messages: {
      personal: { received: 'text', names: 'toolName', outbox: 'pending' },
      download: 'messages/messages.json',
      other:
        '_id fromUserId createdAt sendKey ownerId renterId isUnpaid bookingId isHidden hiddenVersion',
    },
    replies: {
      personal: { received: 'text', outbox: 'pending' },
      download: 'messages/messages.json',
      other:
        '_id fromUserId createdAt sendKey messageId bookingId place answer isHidden hiddenVersion',
    },
    published_events: {
      personal: { outbox: 'event' },
      download: 'no: copies of messages',
      other: '_id collection document publishedAt',
    },
    blocks: { other: '_id blocked version' },
    question_counts: { other: '_id count endsAt' },
    admin_acts: {
      personal: { outbox: 'pending' },
      download: 'no: how an admin worked',
      other: '_id createdAt',
    },
    leases: { other: '_id holder until' },
  },
  notifications: {
    people: {
      personal: { replaced: 'firstName lastName email address city state emailVerified' },
      download: 'account/profile.json',
      other: '_id version',
    },
    roles: { other: '_id role version disabled disabledVersion' },
    bookings: {
      personal: { names: 'toolName' },
      download: 'bookings/rentals.json, bookings/lendings.json',
      other: '_id ownerId renterId isCancelled',
    },
    payout_accounts: { other: '_id isReady version' },
    preferences: {
      personal: { erased: 'emails notices' },
      download: 'notices/preferences.json',
      other: '_id',
    },
    leases: { other: '_id holder until' },
    notices: {
      personal: { erased: 'message', outbox: 'pending' },
      download: 'notices/notices.json',
      other: '_id key userId kind bookingId fromUserId readAt createdAt',
    },
    emails: {
      personal: {
        erased: '_id to.name to.address subject html text calendar unsubscribeUrl error',
      },
      download: 'notices/emails.json',
      other:
        'userId receipts topic traceparent status attempts dueAt giveUpAt unlessRead queuedAt finishedAt',
    },
  },
};
