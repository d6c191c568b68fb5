// What the reports of splitters say of their pipes.

/** Pipes of all splitters, each with what it is called by: its splitter, and its side where there are two. */
export const pipesOf = (splitters) => splitters.flatMap(({ name, lost, report }) => {
  const chain = report.pipes.some(({ side }) => side === 'NEAR');
  return report.pipes.map((pipe) => ({
    ...pipe,
    lost,
    label: [name, chain && pipe.side.toLowerCase(), pipe.device, pipe.peer && `to ${pipe.peer}`].filter(Boolean).join(' '),
  }));
});

/** One word for a pipe: an operator's withdrawal goes before what is known of it. */
export const pipeState = ({ up, employed }) => (!employed ? 'withdrawn' : up ? 'up' : 'down');

/** How many pipes of a splitter may be used. */
export const delivering = ({ report }) => report.pipes.filter((pipe) => pipeState(pipe) === 'up').length;
