using Raven.Blittable.Json;
using Raven.Documents;
using Raven.Documents.Json;

namespace Raven.Server.Http;

/// <summary>
/// Writes <c>{"Results":[…]}</c> document by document, so that the answer can be sent between two of them when it has
/// grown beyond what is buffered.
/// </summary>
internal struct DocumentListWriter
{
    private readonly ResponseWriter _response;
    private readonly long _bufferedBytesMax;
    private readonly bool _isMetadataOnly;
    private bool _hasDocuments;

    internal DocumentListWriter(RequestContext request, bool isMetadataOnly)
    {
        _response = request.Response;
        _bufferedBytesMax = request.Server.ResponseBufferBytesMax;
        _isMetadataOnly = isMetadataOnly;
        _response.Headers.ContentType = ContentType.Json;
        _response.Write("{\"Results\":["u8);
    }

    /// <summary>True if what is buffered should be sent before more is written.</summary>
    internal readonly bool IsFull => _response.BufferedBytes > _bufferedBytesMax;

    internal void Write(in StoredDocument document)
    {
        Separate();
        var json = new JsonOutput(_response);
        DocumentJson.Write(ref json, in document, _isMetadataOnly);
        json.Flush();
    }

    internal void WriteNull()
    {
        Separate();
        _response.Write("null"u8);
    }

    /// <summary>Ends the results and begins the includes, a <c>{</c> after its name.</summary>
    internal readonly void BeginIncludes() => _response.Write("],\"Includes\":{"u8);

    /// <summary>Ends results without includes.</summary>
    /// <param name="response">Takes the end of the results.</param>
    /// <param name="nextPageStart">The start of the next page, or -1 if there is none.</param>
    internal static void End(ResponseWriter response, long nextPageStart)
    {
        var json = new JsonOutput(response);
        json.Raw("],\"Includes\":{}"u8);
        if (nextPageStart >= 0)
        {
            json.Name("NextPageStart"u8);
            json.Number(nextPageStart);
        }

        json.Flush();
        response.Write("}"u8);
    }

    private void Separate()
    {
        if (_hasDocuments)
        {
            _response.Write(","u8);
        }

        _hasDocuments = true;
    }
}
