namespace Raven.Storage.Tables;

/// <summary>What an index of a table is. The numbers are on disk and never change their meaning.</summary>
public enum TableIndexKind : byte
{
    /// <summary>A tree from key to row id.</summary>
    Unique = 1,

    /// <summary>A tree of keys, each with a row id behind it.</summary>
    Multi = 2,

    /// <summary>A fixed tree from number to row id.</summary>
    Number = 3,
}
