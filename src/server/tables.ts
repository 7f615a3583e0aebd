import type { SellerWebhooksTable, WebhookDeliveriesTable } from '#server/programs/programs.table.ts';
import type { Generated, Kysely, Transaction } from 'kysely';
import type { AuditEntriesTable } from '#server/audit/audit.table.ts';
import type {
  BookingPromisesTable,
  BookingsTable,
  HoldsTable,
  IdempotencyKeysTable,
  WaitlistEntriesTable,
} from '#server/bookings/bookings.table.ts';
import type {
  CategoriesTable,
  CopyPassportsTable,
  DeliveryExceptionsTable,
  DeliveryTermsTable,
  ListingDraftsTable,
  ListingsTable,
  PriceChangesTable,
  ShelfChangesTable,
  ShelfPausesTable,
} from '#server/catalog/catalog.table.ts';
import type {
  ListingPhotosTable,
  MessagePhotosTable,
  OrderPhotosTable,
  PhotoFilesTable,
  PhotosTable,
  PhotoStoreTurnTable,
  PictureFetchesTable,
  PortraitFetchesTable,
  PromisedPhotosTable,
} from '#server/catalog/photos/photos.table.ts';
import type {
  StockChangesTable,
  StockCopiesTable,
  StockEditCopiesTable,
  StockFilePartsTable,
  StockFilesTable,
  StockRowsTable,
} from '#server/catalog/stock/stock.table.ts';
import type {
  EditionFillingsTable,
  EditionMissesTable,
  EditionsTable,
  OpenLibraryPaceTable,
} from '#server/catalog/editions/editions.table.ts';
import type {
  DeparturesTable,
  DevicesTable,
  PasskeyChallengesTable,
  PasskeysTable,
  RecoveryCodesTable,
} from '#server/identity/users/account.table.ts';
import type {
  AccountLinksTable,
  AttemptCountersTable,
  ResetRequestsTable,
  ApiKeysTable,
  SessionsTable,
  SigningKeysTable,
  UsersTable,
} from '#server/identity/identity.table.ts';
import type { SignInFlowsTable, SignInIdentitiesTable } from '#server/identity/social/social.table.ts';
import type { SellerDeclarationsTable, TermsAcceptancesTable, TermsVersionsTable } from '#server/law/law.table.ts';
import type { LedgerEntriesTable, LedgerTransactionsTable } from '#server/ledger/ledger.table.ts';
import type { MessageBlocksTable, MessagesTable, MessageThreadsTable } from '#server/messages/messages.table.ts';
import type { SellerFollowsTable, SellerPagesTable } from '#server/sellers/sellers.table.ts';
import type { SellerRecordsTable } from '#server/orders/record/record.table.ts';
import type { ReviewsTable } from '#server/orders/reviews/reviews.table.ts';
import type { ReportCasesTable, ReportsTable } from '#server/moderation/reports/reports.table.ts';
import type { SellerIdentitiesTable } from '#server/moderation/identity/identities.table.ts';
import type { SuspensionsTable } from '#server/moderation/suspending/suspensions.table.ts';
import type {
  CopiesAsideTable,
  DigestsTable,
  SavedSearchesTable,
  WantOffersTable,
  WantsTable,
  WishesTable,
} from '#server/wants/wants.table.ts';
import type { OutboxTable } from '#server/mail/mail.table.ts';
import type { MailChoicesTable, NoticesTable } from '#server/notices/notices.table.ts';
import type {
  OrderEventsTable,
  OrderHeartbeatTable,
  OrderProblemsTable,
  OrderRemindersTable,
  OrdersTable,
} from '#server/orders/orders.table.ts';
import type {
  CheckoutBookingsTable,
  CheckoutsTable,
  DisputeSharesTable,
  DisputesTable,
  MoneyDifferencesTable,
  PaymentCardsTable,
  PaymentFailuresTable,
  PaymentIntentsTable,
  PaymentsTable,
  ProviderEventsTable,
  ReconcileRunsTable,
  RefundsTable,
} from '#server/payments/payments.table.ts';
import type {
  BankPayoutsTable,
  PayoutAccountsTable,
  PayoutReversalsTable,
  PayoutsTable,
} from '#server/payments/payouts/payouts.table.ts';
import type {
  AdjustmentsTable,
  HandPayoutsTable,
  PayoutBatchesTable,
  PayoutDetailsTable,
} from '#server/payments/payouts/by-hand/by-hand.table.ts';

/** Every table of the shop, by the module that owns it. */
export interface Database {
  users: UsersTable;
  api_keys: ApiKeysTable;
  seller_webhooks: SellerWebhooksTable;
  sessions: SessionsTable;
  signing_keys: SigningKeysTable;
  attempt_counters: AttemptCountersTable;
  account_links: AccountLinksTable;
  reset_requests: ResetRequestsTable;
  sign_in_identities: SignInIdentitiesTable;
  sign_in_flows: SignInFlowsTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  recovery_codes: RecoveryCodesTable;
  devices: DevicesTable;
  departures: DeparturesTable;
  categories: CategoriesTable;
  listings: ListingsTable;
  shelf_changes: ShelfChangesTable;
  price_changes: PriceChangesTable;
  shelf_pauses: ShelfPausesTable;
  wants: WantsTable;
  want_offers: WantOffersTable;
  copies_aside: CopiesAsideTable;
  wishes: WishesTable;
  saved_searches: SavedSearchesTable;
  digests: DigestsTable;
  suspensions: SuspensionsTable;
  report_cases: ReportCasesTable;
  reports: ReportsTable;
  listing_drafts: ListingDraftsTable;
  stock_changes: StockChangesTable;
  stock_copies: StockCopiesTable;
  stock_file_parts: StockFilePartsTable;
  stock_edit_copies: StockEditCopiesTable;
  stock_files: StockFilesTable;
  stock_rows: StockRowsTable;
  delivery_terms: DeliveryTermsTable;
  delivery_exceptions: DeliveryExceptionsTable;
  copy_passports: CopyPassportsTable;
  photo_files: PhotoFilesTable;
  photos: PhotosTable;
  photo_store_turn: PhotoStoreTurnTable;
  listing_photos: ListingPhotosTable;
  picture_fetches: PictureFetchesTable;
  portrait_fetches: PortraitFetchesTable;
  promised_photos: PromisedPhotosTable;
  order_photos: OrderPhotosTable;
  editions: EditionsTable;
  edition_misses: EditionMissesTable;
  edition_fillings: EditionFillingsTable;
  open_library_pace: OpenLibraryPaceTable;
  booking_promises: BookingPromisesTable;
  bookings: BookingsTable;
  holds: HoldsTable;
  waitlist_entries: WaitlistEntriesTable;
  webhook_deliveries: WebhookDeliveriesTable;
  idempotency_keys: IdempotencyKeysTable;
  checkouts: CheckoutsTable;
  checkout_bookings: CheckoutBookingsTable;
  payment_cards: PaymentCardsTable;
  payment_intents: PaymentIntentsTable;
  payments: PaymentsTable;
  provider_events: ProviderEventsTable;
  refunds: RefundsTable;
  payment_failures: PaymentFailuresTable;
  disputes: DisputesTable;
  dispute_shares: DisputeSharesTable;
  money_differences: MoneyDifferencesTable;
  reconcile_runs: ReconcileRunsTable;
  payout_accounts: PayoutAccountsTable;
  payouts: PayoutsTable;
  payout_reversals: PayoutReversalsTable;
  bank_payouts: BankPayoutsTable;
  payout_details: PayoutDetailsTable;
  payout_batches: PayoutBatchesTable;
  hand_payouts: HandPayoutsTable;
  adjustments: AdjustmentsTable;
  message_blocks: MessageBlocksTable;
  message_photos: MessagePhotosTable;
  message_threads: MessageThreadsTable;
  messages: MessagesTable;
  orders: OrdersTable;
  order_events: OrderEventsTable;
  order_reminders: OrderRemindersTable;
  order_problems: OrderProblemsTable;
  order_heartbeat: OrderHeartbeatTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  audit_entries: AuditEntriesTable;
  outbox: OutboxTable;
  notices: NoticesTable;
  reviews: ReviewsTable;
  seller_records: SellerRecordsTable;
  seller_declarations: SellerDeclarationsTable;
  seller_identities: SellerIdentitiesTable;
  seller_pages: SellerPagesTable;
  terms_acceptances: TermsAcceptancesTable;
  terms_versions: TermsVersionsTable;
  seller_follows: SellerFollowsTable;
  mail_choices: MailChoicesTable;
  shop: { one: Generated<boolean>; demo: boolean; seeded_at: Date | null };
  shop_clock: { one: Generated<boolean>; ahead_seconds: Generated<string> };
}

/** The database, inside a transaction or not. */
export type Db = Kysely<Database>;
/** The database inside a transaction: asked for where several statements must stand or fall together. */
export type Trx = Transaction<Database>;
