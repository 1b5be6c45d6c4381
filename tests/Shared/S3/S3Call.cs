namespace Shared.S3;

/// <summary>What a request to a server of S3 asks for.</summary>
internal enum S3CallKind
{
    Other,
    List,
    Uploads,
    Put,
    Get,
    Head,
    Delete,
    Begin,
    Part,
    Complete,
    Abort,
}

/// <summary>What a server of S3 does wrong.</summary>
internal enum S3Fault
{
    None,
    SlowDown,
    TooMany,
    Skewed,

    /// <summary>The connection ends before anything was done.</summary>
    Cut,

    /// <summary>It was done, and the answer is lost.</summary>
    CutAfter,

    /// <summary>There is no answer until the caller goes.</summary>
    Stall,

    /// <summary>Half of an object is sent.</summary>
    CutHalf,
    Redirect,
    Endless,

    /// <summary>The status is 200, and the body says that it failed.</summary>
    ErrorBody,

    /// <summary>A listing goes on, and does not say where.</summary>
    TruncatedListing,

    /// <summary>Less is kept than was sent.</summary>
    LosesBytes,

    /// <summary>Something else is given than was kept.</summary>
    FlipsBit,
}

/// <summary>A request to a server of S3.</summary>
internal sealed record S3Call(S3CallKind Kind, string Bucket, string Key, IReadOnlyDictionary<string, string> Query)
{
    internal static S3Call Of(string method, string target)
    {
        int mark = target.IndexOf('?', StringComparison.Ordinal);
        string path = mark < 0 ? target : target[..mark];
        Dictionary<string, string> query = [];
        foreach (string pair in mark < 0 ? [] : target[(mark + 1)..].Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] sides = pair.Split('=', 2);
            query[Uri.UnescapeDataString(sides[0])] = sides.Length == 1 ? "" : Uri.UnescapeDataString(sides[1]);
        }

        string[] names = path.TrimStart('/').Split('/', 2);
        string key = names.Length == 1 ? "" : Uri.UnescapeDataString(names[1]);
        return new S3Call(KindOf(method, key, query), names[0], key, query);
    }

    private static S3CallKind KindOf(string method, string key, Dictionary<string, string> query) =>
        (method, key.Length > 0) switch
        {
            ("GET", false) when query.ContainsKey("uploads") => S3CallKind.Uploads,
            ("GET", false) => S3CallKind.List,
            ("GET", true) => S3CallKind.Get,
            ("HEAD", true) => S3CallKind.Head,
            ("PUT", true) when query.ContainsKey("partNumber") => S3CallKind.Part,
            ("PUT", true) => S3CallKind.Put,
            ("POST", true) when query.ContainsKey("uploads") => S3CallKind.Begin,
            ("POST", true) when query.ContainsKey("uploadId") => S3CallKind.Complete,
            ("DELETE", true) when query.ContainsKey("uploadId") => S3CallKind.Abort,
            ("DELETE", true) => S3CallKind.Delete,
            _ => S3CallKind.Other,
        };
}
