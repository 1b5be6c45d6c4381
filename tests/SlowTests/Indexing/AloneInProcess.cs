namespace SlowTests.Indexing;

/// <summary>Tests that measure the memory of the process: beside another they would measure that one too.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class AloneInProcess
{
    internal const string Name = "alone in the process";
}
