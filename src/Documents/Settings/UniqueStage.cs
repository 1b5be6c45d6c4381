namespace Raven.Documents.Settings;

/// <summary>How far a unique constraint is.</summary>
public enum UniqueStage
{
    /// <summary>Documents from before it are being read; it is not in effect.</summary>
    Building,

    /// <summary>Documents share values: it is not in effect until none do.</summary>
    Violated,

    /// <summary>It holds, and is in effect.</summary>
    Active,

    /// <summary>It is gone, and its values are being removed.</summary>
    Dropping,
}
