import { marked, type Token, type Tokens } from 'marked';
import type { Block, Piece } from '#contract/law/texts.ts';

type Look = Piece['look'];

/** Where a link may lead; anything else is text. */
const isLink = (href: string): boolean => /^(https:|http:|mailto:|tel:|\/(?!\/)|#)/.test(href);

const childrenOf = (token: Token): Token[] | undefined => ('tokens' in token ? token.tokens : undefined);

const piecesOf = (tokens: readonly Token[], look: Look = 'plain', href = ''): Piece[] =>
  tokens.flatMap((token): Piece[] => {
    const children = childrenOf(token);
    switch (token.type) {
      case 'strong':
        return piecesOf(children ?? [], 'strong', href);
      case 'em':
        return piecesOf(children ?? [], 'emphasis', href);
      case 'link': {
        const to = (token as Tokens.Link).href;
        return piecesOf(children ?? [], look, isLink(to) ? to : '');
      }
      case 'br':
        return [{ text: '\n', look, href }];
      default:
        return children === undefined
          ? [{ text: 'text' in token ? String(token.text) : token.raw, look, href }]
          : piecesOf(children, look, href);
    }
  });

/** What of Markdown the shop's texts show: headings, paragraphs, lists, emphasis and links; the rest is plain text. */
export const blocksOf = (markdown: string): Block[] =>
  marked.lexer(markdown).flatMap((token): Block[] => {
    switch (token.type) {
      case 'space':
      case 'hr':
        return [];
      case 'heading':
        return [{ kind: 'heading', lines: [piecesOf(childrenOf(token) ?? [])] }];
      case 'list':
        return [{ kind: 'list', lines: (token as Tokens.List).items.map(({ tokens }) => piecesOf(tokens)) }];
      default:
        return [{ kind: 'paragraph', lines: [piecesOf(childrenOf(token) ?? [token])] }];
    }
  });
