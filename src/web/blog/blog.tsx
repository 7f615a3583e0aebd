import type { MetaFunction } from 'react-router';
import { publicMeta } from '#web/shell/layout/page-meta.ts';

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: 'Blog',
    description: 'Four short answers for people who build for the web: React, prototypes, unit tests, frameworks.',
    path: '/blog',
    type: 'article',
  });

const ANSWERS = [
  {
    id: 'react-state',
    question: 'What are the ways to manage state in a React application?',
    answer: [
      'Begin with the nearest place. What one component needs lives in it with useState, or useReducer once several values change together. What two siblings need moves up to their parent.',
      'What the whole page shows, such as filters and page numbers, belongs in the address: it survives a reload and can be shared. What comes from a server is not really state but a copy, best kept by the router’s loaders or a query library. Context hands things down without passing them along; a store such as Redux or Zustand is for what changes often and is read everywhere.',
    ],
  },
  {
    id: 'prototypes',
    question: 'How does prototypical inheritance work?',
    answer: [
      'Every JavaScript object holds a hidden link to another object, its prototype. When a property is asked for and is not there, the engine follows that link, and the next, until it finds the property or the chain ends at null.',
      'So methods are shared rather than copied: an array has no map of its own but finds it on Array.prototype. The class syntax writes the same links in a friendlier way, with extends joining one prototype to another.',
    ],
  },
  {
    id: 'unit-tests',
    question: 'What is a unit test, and why should we write one?',
    answer: [
      'A unit test runs one small piece of a program by itself, gives it an input, and checks what comes out. It takes milliseconds and, when it fails, points at the place.',
      'Written well, it says what the code promises, so the next person may change how that promise is kept without fear. Tests of pieces do not show that the pieces fit together; for that, a few tests through the real database and the real browser are worth many.',
    ],
  },
  {
    id: 'frameworks',
    question: 'React vs. Angular vs. Vue: which one to choose?',
    answer: [
      'React is a library for drawing interfaces as functions of their data; everything around it is chosen, which means freedom and decisions. Angular is a whole house: router, forms, requests and testing come with it, in one style, which large teams like. Vue stands between: templates close to HTML, a gentle start, and official parts for routing and state.',
      'All three are fast enough for nearly everything. What decides is who will look after the code: take the one your team knows, or wants to know.',
    ],
  },
] as const;

const Blog = () => (
  <div className="page max-w-4xl py-10 sm:py-14">
    <h1 className="font-serif text-4xl font-bold">Blog</h1>
    <p className="mt-2 text-muted">Four questions we are often asked by readers who also write code.</p>
    <div className="mt-8 flex flex-col gap-6">
      {ANSWERS.map((item) => (
        <article
          key={item.id}
          aria-labelledby={item.id}
          className="rounded-box border border-base-300 bg-base-100 p-6 sm:p-8"
        >
          <h2 id={item.id} className="font-serif text-xl font-semibold sm:text-2xl">
            {item.question}
          </h2>
          {item.answer.map((paragraph) => (
            <p key={paragraph.slice(0, 24)} className="mt-3 max-w-[70ch] leading-relaxed text-muted">
              {paragraph}
            </p>
          ))}
        </article>
      ))}
    </div>
  </div>
);
export default Blog;
