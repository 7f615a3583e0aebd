import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars } from '#contract/scalars.ts';

/** How many weeks are looked back on, this one among them. */
export const SALES_WEEKS = 12;
export const SHOP_WEEKS = 8;

/** The Monday a week begins with in the shop's time zone. */
const Week = Type.String({ description: 'the Monday it began with, as 2026-11-23' });

/**
 * What a week's orders brought a seller. `sold`: books paid for in that week and not refunded since. `earned`: what is
 * the seller's of those orders as of now, with postage, after fees, less what went back or is in dispute.
 */
export const SalesWeek = Type.Object({ week: Week, sold: Type.Integer(), earned: Dollars });
export type SalesWeek = Static<typeof SalesWeek>;

/**
 * What happened in the shop in a week, each by its own day: orders paid for and what buyers paid for them with postage,
 * what was given back of sales, disputes opened (inquiries are none), and new accounts of sellers.
 */
export const ShopWeek = Type.Object({
  week: Week,
  orders: Type.Integer(),
  paid: Dollars,
  refunded: Dollars,
  disputes: Type.Integer(),
  newSellers: Type.Integer(),
});
export type ShopWeek = Static<typeof ShopWeek>;

const Svg = Type.String({
  description: 'SVG without styles, in the colours of the page; empty where nothing happened',
});

/** Weeks, the oldest first, and their drawing; only the parts of the roles a user has are there. */
export const DashboardCharts = Type.Object({
  seller: Type.Optional(Type.Object({ weeks: Type.Array(SalesWeek), svg: Svg })),
  admin: Type.Optional(Type.Object({ weeks: Type.Array(ShopWeek), svg: Svg })),
});
export type DashboardCharts = Static<typeof DashboardCharts>;

export const readDashboardCharts = endpoint({
  method: 'GET',
  path: '/dashboard/charts',
  summary: "The weeks of a seller's sales and of the shop, with their drawings",
  access: 'anyone signed in',
  status: 200,
  answer: DashboardCharts,
  personal: true,
});
