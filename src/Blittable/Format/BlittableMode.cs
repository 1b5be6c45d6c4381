namespace Raven.Blittable.Format;

/// <summary>Two ways to fill one format; readers need not distinguish them.</summary>
public enum BlittableMode : byte
{
    /// <summary>For a document that is used and dropped: nothing is compressed.</summary>
    ToMemory,

    /// <summary>For a document that is stored: every string that becomes shorter is compressed.</summary>
    ToDisk,
}
