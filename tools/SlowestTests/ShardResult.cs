namespace Raven.Tools.SlowestTests;

/// <summary>How a shard ended.</summary>
/// <param name="Name">The shard.</param>
/// <param name="Passed">Tests that passed.</param>
/// <param name="Failed">Tests that failed; a shard that was stopped or that broke counts one more.</param>
/// <param name="Elapsed">How long it took.</param>
/// <param name="Remark">What happened besides (over the limit, no result file); empty if nothing.</param>
public sealed record ShardResult(string Name, int Passed, int Failed, TimeSpan Elapsed, string Remark);
