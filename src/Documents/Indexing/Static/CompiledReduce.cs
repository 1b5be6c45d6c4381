using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Static;

/// <summary>The base of the class that the text of a reduce is compiled to. One thread at a time.</summary>
public abstract class CompiledReduce
{
    /// <summary>The names of the properties of the key; none if the key is one value.</summary>
    public abstract string[] KeyFields { get; }

    /// <summary>The fields of its results, if all have the same.</summary>
    public abstract string[] Fields { get; }

    /// <summary>Always true. The compiler must not know it, so that it does not warn about unreachable code.</summary>
    protected static bool Always => true;

    /// <summary>The key of the group that a result belongs to.</summary>
    public abstract DynamicValue KeyOf(DynamicValue input);

    /// <summary>Makes results of a group.</summary>
    /// <param name="input">A sequence with a key.</param>
    /// <param name="output">Takes the results.</param>
    public abstract void Run(DynamicValue input, MapOutput output);
}
