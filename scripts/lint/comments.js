// Comments are wrapped where the formatter wraps code; it leaves theirs alone.

const WIDTH = 120;

export const comments = {
  create: (context) => ({
    Program: () => {
      const lines = context.sourceCode.text.split('\n');
      for (const comment of context.sourceCode.getAllComments()) {
        const { start, end } = comment.loc;
        const message = `A comment is wrapped at ${WIDTH} columns.`;
        const isLong = (line) => line.length > WIDTH && /^\s*(\/\/|\/\*|\*)/.test(line);
        if (lines.slice(start.line - 1, end.line).some(isLong)) context.report({ node: comment, message });
      }
    },
  }),
};
