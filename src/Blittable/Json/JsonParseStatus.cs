namespace Raven.Blittable.Json;

/// <summary>How far a parser has come with the bytes it was fed.</summary>
public enum JsonParseStatus : byte
{
    /// <summary>All bytes were taken and the value is not finished.</summary>
    NeedMore,

    /// <summary>The value is finished; the bytes behind it were not taken.</summary>
    Complete,

    /// <summary>The text was refused; <see cref="JsonToBlittable.Error"/> says where and why.</summary>
    Invalid,
}
