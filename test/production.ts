/** What a shop in production needs to be told; it is asked for nothing of it. */
export const PRODUCTION = {
  DOGEAR_MODE: 'production',
  PUBLIC_URL: 'https://books.example',
  DATABASE_URL: 'postgres://unused/unused',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SMTP_URL: 'smtp://127.0.0.1:1',
} as const;
