namespace Raven.Server.Http.Security;

/// <summary>What <see cref="RightsWatch"/> knows of the request of a context.</summary>
internal struct RightsCheck
{
    /// <summary>Which request of the context it is about.</summary>
    internal long Request;

    /// <summary>The version of the registry in which the identity had the right.</summary>
    internal long Version;

    /// <summary>How many looks in a row have found it without the right.</summary>
    internal int Misses;

    /// <summary>When it was asked to end, a time stamp; null if it was not.</summary>
    internal long? AskedAt;
}
