namespace FastTests.Support;

/// <summary>Tests that look at the whole process: they run when no other does.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    internal const string Name = "alone";
}
