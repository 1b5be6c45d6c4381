namespace Raven.Search;

/// <summary>
/// Mistakes that a test can switch on (<see cref="SearchIndex.Bug"/>), to see that power cuts while indexes follow the
/// documents find them: a tester that was never seen to fail proves nothing.
/// </summary>
internal enum PlantedIndexBug
{
    None,
    PositionApartFromData,
}
