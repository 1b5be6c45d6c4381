using System.Diagnostics;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Server.Documents;
using Raven.Server.Documents.Ids;

namespace Raven.Server.Http;

/// <summary>
/// Writes any number of documents in bounded memory: it fills the answer's buffer from a snapshot, and where that is
/// full sends it and goes on behind the last document. One request, one thread at a time.
/// </summary>
internal sealed class DocumentStream
{
    /// <summary>What is handed over as one, and so kept for a slow client beside the next buffer.</summary>
    private const long OvertakenBytesMax = 512 * 1024;

    private readonly RequestContext _request;
    private readonly ResponseWriter _response;
    private readonly DocumentsRequest _wanted;
    private readonly DocumentOrder _order;
    private readonly NativeSlice _lastIdRoom;
    private NativeSlice _lastId;
    private long _lastEtag;
    private long _toSkip;
    private long _left;
    private bool _isFirst = true;

    internal DocumentStream(RequestContext request, in DocumentsRequest wanted, DocumentOrder order)
    {
        _request = request;
        _response = request.Response;
        _wanted = wanted;
        _order = order;
        _toSkip = wanted.Start;
        _left = wanted.PageSize == int.MaxValue ? long.MaxValue : wanted.PageSize;
        _lastIdRoom = request.Operation.Arena.Allocate(DocumentId.SizeBytesMax);
        _lastEtag = order == DocumentOrder.ByLastChange ? long.MaxValue : wanted.StartEtag - 1;
    }

    /// <summary>A line each, without commas between them.</summary>
    internal bool IsLines { get; init; }

    /// <summary>How much is buffered before it is sent.</summary>
    internal required long BufferedBytesMax { get; init; }

    /// <summary>From which age on a snapshot is given up for a newer one, when something has been sent.</summary>
    internal required TimeSpan SnapshotAgeMax { get; init; }

    /// <summary>The documents written.</summary>
    internal long Count { get; private set; }

    /// <summary>After the run: true where there are more documents than were asked for.</summary>
    internal bool IsMore { get; private set; }

    /// <summary>Writes all documents; what is still buffered at the end is left to the request's end.</summary>
    internal async ValueTask RunAsync()
    {
        long ageTicksMax = SnapshotAgeMax == TimeSpan.MaxValue
            ? long.MaxValue
            : (long)(SnapshotAgeMax.TotalSeconds * Stopwatch.Frequency);
        bool isFull = true;
        Task sending = Task.CompletedTask;
        while (isFull)
        {
            using DocumentSnapshot snapshot = _request.Database.BeginRead();
            long began = _request.Server.Time.GetTimestamp();
            while (isFull = Fill(snapshot))
            {
                // One buffer is on its way while the next one is filled, never two; a large one goes in slices.
                await sending.ConfigureAwait(false);
                if (_response.HasStarted && _response.BufferedBytes <= OvertakenBytesMax)
                {
                    sending = _response.BeginFlushAsync();
                }
                else
                {
                    await _response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
                }

                _request.Aborted.ThrowIfCancellationRequested();
                _request.Server.Stopping.ThrowIfCancellationRequested();
                if (_request.Server.Time.GetTimestamp() - began > ageTicksMax)
                {
                    break;
                }
            }
        }

        await sending.ConfigureAwait(false);
    }

    /// <summary>Writes documents until the buffer is full (true) or there are no more (false).</summary>
    private bool Fill(DocumentSnapshot snapshot)
    {
        switch (_order)
        {
            case DocumentOrder.ByChange:
                return FillByChange(Ahead(snapshot.DocumentsByEtag(_lastEtag + 1)));
            case DocumentOrder.ByLastChange:
                return _lastEtag > 0 && FillByChange(Ahead(snapshot.DocumentsByEtagDescending(_lastEtag - 1)));
            default:
                // The folded texts of the query end with this turn, however many turns there are.
                OperationContext scratch = _request.Server.RentContext();
                try
                {
                    DocumentsRequest next = _lastId.IsEmpty ? _wanted : _wanted.After(_lastId);
                    PrefixQuery query = next.ToPrefixQuery(scratch.Arena);
                    PrefixCursor cursor = snapshot.DocumentsByPrefix(in query);

                    // Where few match, each look ahead may be a long way.
                    return query.IsPrefixOnly ? FillById(Ahead(cursor)) : FillById(cursor);
                }
                finally
                {
                    _request.Server.Contexts.Return(scratch);
                }
        }
    }

    /// <summary>Looks at no more documents than may be written, and the one that tells that there are more.</summary>
    private DocumentLookahead<TCursor> Ahead<TCursor>(TCursor cursor)
        where TCursor : struct, IDocumentCursor, allows ref struct =>
        new(cursor, Math.Min(long.MaxValue - 1 - _toSkip, _left) + _toSkip + 1);

    private bool FillByChange(DocumentLookahead<DocumentCursor> cursor)
    {
        while (cursor.MoveNext(out StoredDocument document))
        {
            if (!TryWrite(in document))
            {
                return false;
            }

            _lastEtag = document.Etag;
            if (_response.BufferedBytes > BufferedBytesMax)
            {
                return true;
            }
        }

        return false;
    }

    private bool FillById<TCursor>(TCursor cursor)
        where TCursor : struct, IDocumentCursor, allows ref struct
    {
        while (cursor.MoveNext(out StoredDocument document))
        {
            if (!TryWrite(in document))
            {
                return false;
            }

            if (_response.BufferedBytes > BufferedBytesMax)
            {
                // The id outlives its snapshot.
                NativeSlice id = document.Id;
                id.Span.CopyTo(_lastIdRoom.WritableSpan);
                _lastId = _lastIdRoom.Slice(0, id.Length);
                return true;
            }
        }

        return false;
    }

    /// <summary>Writes a document, or passes over it; false where enough were written.</summary>
    private bool TryWrite(in StoredDocument document)
    {
        if (_toSkip > 0)
        {
            _toSkip--;
            return true;
        }

        if (_left == 0)
        {
            IsMore = true;
            return false;
        }

        if (!_isFirst && !IsLines)
        {
            _response.Write(","u8);
        }

        var json = new JsonOutput(_response);
        DocumentJson.Write(ref json, in document, _wanted.IsMetadataOnly);
        json.Flush();
        if (IsLines)
        {
            _response.Write("\n"u8);
        }

        _isFirst = false;
        _left--;
        Count++;
        return true;
    }
}
