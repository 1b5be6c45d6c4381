namespace SlowTests.Indexing;

/// <summary>Tests that measure the memory of the process, one at a time: beside another they measure that one's.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class AloneInProcess
{
    internal const string Name = "alone in the process";
}
