using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// Headers of which those that every request is asked for are fields, as with Kestrel: to look one up in a table would
/// cost ten times as much as what is measured.
/// </summary>
internal sealed class FakeHeaders : HeaderDictionary, IHeaderDictionary
{
    private StringValues _accept;
    private StringValues _acceptEncoding;
    private StringValues _acceptLanguage;
    private StringValues _connection;
    private StringValues _contentType;
    private StringValues _host;
    private StringValues _ifNoneMatch;
    private StringValues _origin;
    private StringValues _transferEncoding;
    private StringValues _xContentTypeOptions;
    private long? _contentLength;

    StringValues IHeaderDictionary.Accept { get => _accept; set => _accept = value; }

    StringValues IHeaderDictionary.AcceptEncoding { get => _acceptEncoding; set => _acceptEncoding = value; }

    StringValues IHeaderDictionary.AcceptLanguage { get => _acceptLanguage; set => _acceptLanguage = value; }

    StringValues IHeaderDictionary.Connection { get => _connection; set => _connection = value; }

    StringValues IHeaderDictionary.ContentType { get => _contentType; set => _contentType = value; }

    StringValues IHeaderDictionary.Host { get => _host; set => _host = value; }

    StringValues IHeaderDictionary.IfNoneMatch { get => _ifNoneMatch; set => _ifNoneMatch = value; }

    StringValues IHeaderDictionary.Origin { get => _origin; set => _origin = value; }

    StringValues IHeaderDictionary.TransferEncoding { get => _transferEncoding; set => _transferEncoding = value; }

    StringValues IHeaderDictionary.XContentTypeOptions
    {
        get => _xContentTypeOptions;
        set => _xContentTypeOptions = value;
    }

    long? IHeaderDictionary.ContentLength { get => _contentLength; set => _contentLength = value; }

    /// <summary>Forgets the answer before.</summary>
    internal void Reset()
    {
        Clear();
        _contentType = default;
        _connection = default;
        _xContentTypeOptions = default;
        _contentLength = null;
    }
}
