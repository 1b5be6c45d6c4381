namespace Raven.Blittable.Format;

/// <summary>Two ways to fill one format; a reader need not know which it was.</summary>
public enum BlittableMode : byte
{
    /// <summary>For a document that is used and dropped: nothing is compressed.</summary>
    ToMemory,

    /// <summary>For a document that is stored: every string that gains by it is compressed.</summary>
    ToDisk,
}
