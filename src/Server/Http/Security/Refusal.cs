namespace Raven.Server.Http.Security;

/// <summary>Why a caller is refused.</summary>
internal enum RefusalKind : byte
{
    /// <summary>403: there is no identity, or it may not do this.</summary>
    Forbidden = 0,

    /// <summary>401: a header names an identity that does not count, or a page of this server has none.</summary>
    Unauthenticated = 1,

    /// <summary>429: too many failures from one address.</summary>
    TooMany = 2,
}

/// <summary>A refused caller's answer.</summary>
/// <param name="Kind">The kind, which has a status.</param>
/// <param name="Message">What is missing and how to get it; nothing about anyone else's data.</param>
/// <param name="Wait">After which time another try makes sense.</param>
internal readonly record struct Refusal(RefusalKind Kind, string Message, TimeSpan Wait = default);
