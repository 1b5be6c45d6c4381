namespace Raven.Blittable.Json;

/// <summary>The state of a parser after the bytes that it was fed.</summary>
public enum JsonParseStatus : byte
{
    /// <summary>All bytes were taken and the value is not finished.</summary>
    NeedMore,

    /// <summary>The value is finished; the bytes behind it were not taken.</summary>
    Complete,

    /// <summary>The text was refused; <see cref="JsonToBlittable.Error"/> has the cause and the place.</summary>
    Invalid,
}
