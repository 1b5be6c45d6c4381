namespace Raven.Tools.SlowestTests;

/// <summary>One test of a run, from the result file.</summary>
/// <param name="Name">The full name, with the arguments of a theory.</param>
/// <param name="Duration">How long it ran.</param>
/// <param name="Outcome"><c>Passed</c>, <c>Failed</c>, <c>NotExecuted</c>,
/// <see cref="TestRunFile.NotTested"/>, ...</param>
public sealed record TestOutcome(string Name, TimeSpan Duration, string Outcome);
