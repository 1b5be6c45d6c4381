namespace Raven.Storage.Checks;

/// <summary>The bounds within which the keys of a page are.</summary>
internal interface IPageBounds
{
    /// <summary>
    /// A hash of the bounds and the level that a page is checked with: what was found holds only for the same ones.
    /// </summary>
    ulong PlaceAt(int levelsBelow);
}
