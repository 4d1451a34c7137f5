/**
 * Stops the clocks until `resume()`, so that what a test expects within some time does not depend on the
 * speed of the machine. Timers are not stopped.
 */
export function stillClock(): { advance: (ms: number) => void; resume: () => void } {
  let [elapsed, date] = [performance.now(), Date.now()];
  const clocks = [
    jest.spyOn(performance, 'now').mockImplementation(() => elapsed),
    jest.spyOn(Date, 'now').mockImplementation(() => date),
  ];
  return {
    advance: (ms) => {
      elapsed += ms;
      date += ms;
    },
    resume: () => clocks.forEach((clock) => clock.mockRestore()),
  };
}
