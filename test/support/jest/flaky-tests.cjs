/** Tells at the end of a run which tests passed only when they were repeated (`TEST_RETRIES`), and in one line when none did. */
module.exports = class FlakyTests {
  onRunComplete(_contexts, { testResults }) {
    if (Number(process.env.TEST_RETRIES ?? 0) === 0) return;
    const flaky = testResults.flatMap(({ testFilePath, testResults: tests }) =>
      tests
        .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
        .map(({ fullName, invocations }) => `  ${fullName}, ${invocations} runs (${testFilePath})`),
    );
    const said =
      flaky.length === 0
        ? 'No test had to be repeated.'
        : ['Passed only when repeated:', ...flaky].join('\n');
    process.stderr.write(`${said}\n`);
  }
};
