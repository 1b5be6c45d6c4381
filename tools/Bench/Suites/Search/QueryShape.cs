namespace Raven.Tools.Bench.Suites.Search;

/// <summary>A kind of query.</summary>
/// <param name="Name">Its name in the table.</param>
/// <param name="Order">Which results are wanted.</param>
/// <param name="Draw">Draws one.</param>
internal sealed record QueryShape(string Name, QueryOrder Order, Func<Random, AskedQuery> Draw)
{
    /// <summary>Whether its results are texts, which are made anew for each query.</summary>
    internal bool MakesTexts { get; init; }
}
