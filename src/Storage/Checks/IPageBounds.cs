namespace Raven.Storage.Checks;

/// <summary>The keys between which those of a page lie.</summary>
internal interface IPageBounds
{
    /// <summary>Stands for the bounds and the level of a page, with which it was checked.</summary>
    ulong PlaceAt(int levelsBelow);
}
