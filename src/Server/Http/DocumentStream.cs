using System.Diagnostics;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Ids;
using Raven.Documents.Json;
using Raven.Storage.Errors;

namespace Raven.Server.Http;

/// <summary>
/// Writes any number of documents in bounded memory: it fills the answer's buffer from a snapshot, sends it when it is
/// full, and goes on after the last document. One request, one thread at a time.
/// </summary>
internal sealed class DocumentStream
{
    /// <summary>The most bytes that are sent at once, and so are kept for a slow client beside the
    /// next buffer.</summary>
    private const long OvertakenBytesMax = 512 * 1024;

    private readonly RequestContext _request;
    private readonly ResponseWriter _response;
    private readonly DocumentsRequest _wanted;
    private readonly DocumentOrder _order;
    private readonly NativeSlice _lastIdBuffer;
    private readonly CancellationToken _aborted;
    private NativeSlice _lastId;
    private long _lastEtag;
    private long _toSkip;
    private long _left;
    private bool _isFirst = true;
    private bool _isOvertaken;
    private ScanCancellation _skipped;

    internal DocumentStream(RequestContext request, in DocumentsRequest wanted, DocumentOrder order)
    {
        _request = request;
        _response = request.Response;
        _aborted = request.Aborted;
        _skipped = new ScanCancellation(_aborted);
        _wanted = wanted;
        _order = order;
        _toSkip = wanted.Start;
        _left = wanted.PageSize == int.MaxValue ? long.MaxValue : wanted.PageSize;
        _lastIdBuffer = request.Operation.Arena.Allocate(DocumentId.SizeBytesMax);
        _lastEtag = order == DocumentOrder.ByLastChange ? long.MaxValue : wanted.StartEtag - 1;
    }

    /// <summary>Write one document a line, without commas between them.</summary>
    internal bool IsLines { get; init; }

    /// <summary>Whether a line <c>{"@damaged":...}</c> is written for documents that cannot be read. Only by changes
    /// and in lines.</summary>
    internal bool SkipsDamaged { get; init; }

    /// <summary>How many bytes are buffered before they are sent.</summary>
    internal required long BufferedBytesMax { get; init; }

    /// <summary>
    /// The age from which on a snapshot is given up for a newer one. It is given up at once if the client has to be
    /// waited for.
    /// </summary>
    internal required TimeSpan SnapshotAgeMax { get; init; }

    /// <summary>How many documents were written.</summary>
    internal long Count { get; private set; }

    /// <summary>After the run: true if there are more documents than were asked for.</summary>
    internal bool IsMore { get; private set; }

    /// <summary>Writes all documents; bytes that are still buffered at the end are sent by the request's end.</summary>
    internal async ValueTask RunAsync()
    {
        long ageTicksMax = SnapshotAgeMax == TimeSpan.MaxValue
            ? long.MaxValue
            : (long)(SnapshotAgeMax.TotalSeconds * Stopwatch.Frequency);
        bool isFull = true;
        Task sending = Task.CompletedTask;
        while (isFull)
        {
            using (DocumentSnapshot snapshot = _request.BeginRead())
            {
                long began = _request.Server.Time.GetTimestamp();
                do
                {
                    isFull = Fill(snapshot);
                    if (!isFull || !sending.IsCompleted)
                    {
                        break;
                    }

                    await sending.ConfigureAwait(false);
                    sending = BeginSend();
                }
                while ((_isOvertaken || sending.IsCompleted)
                    && _request.Server.Time.GetTimestamp() - began <= ageTicksMax);
            }

            // Nothing is held here, however long the client takes.
            await sending.ConfigureAwait(false);
            if (isFull && _response.BufferedBytes > 0)
            {
                sending = BeginSend();
                if (!_isOvertaken)
                {
                    await sending.ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>
    /// Begins to send what is buffered. At most one buffer is being sent while the next one is filled; a large one is
    /// sent in slices, and nothing may be written meanwhile.
    /// </summary>
    private Task BeginSend()
    {
        _aborted.ThrowIfCancellationRequested();
        _isOvertaken = _response.HasStarted && _response.BufferedBytes <= OvertakenBytesMax;
        return _isOvertaken
            ? _response.BeginFlushAsync()
            : _response.FlushAsync(CancellationToken.None).AsTask();
    }

    /// <summary>Writes documents until the buffer is full (true) or there are no more (false).</summary>
    private bool Fill(DocumentSnapshot snapshot)
    {
        switch (_order)
        {
            case DocumentOrder.ByChange:
                return SkipsDamaged
                    ? FillWithWhole(snapshot)
                    : FillByChange(Ahead(snapshot.DocumentsByEtag(_lastEtag + 1)));
            case DocumentOrder.ByLastChange:
                return _lastEtag > 0 && FillByChange(Ahead(snapshot.DocumentsByEtagDescending(_lastEtag - 1)));
            default:
                // The folded texts of the query are freed after this turn, however many turns there are.
                OperationContext scratch = _request.Server.RentContext();
                try
                {
                    DocumentsRequest next = _lastId.IsEmpty ? _wanted : _wanted.After(_lastId);
                    PrefixQuery query = next.ToPrefixQuery(scratch.Arena) with { Cancellation = _aborted };
                    PrefixCursor cursor = snapshot.DocumentsByPrefix(in query);

                    // If few documents match, each prefetch may have to search far.
                    return query.IsPrefixOnly ? FillById(Ahead(cursor)) : FillById(cursor);
                }
                finally
                {
                    _request.Server.Contexts.Return(scratch);
                }
        }
    }

    /// <summary>Prefetches no more documents than may be written, and one more, which shows that there
    /// are more.</summary>
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

    /// <summary>Writes by changes, without the damaged documents.</summary>
    private bool FillWithWhole(DocumentSnapshot snapshot)
    {
        try
        {
            return FillByChange(Ahead(snapshot.DocumentsByEtag(_lastEtag + 1)));
        }
        catch (StorageCorruptedException)
        {
            return FillAroundDamage(snapshot);
        }
    }

    /// <summary>Reads each change by itself, as the prefetch does not say which one is damaged, until one after the
    /// damage can be read.</summary>
    private bool FillAroundDamage(DocumentSnapshot snapshot)
    {
        const int WholeMin = 64;
        long damagedFrom = 0;
        string damage = "";
        int whole = 0;
        long etag = _lastEtag + 1;
        for (long end = snapshot.LastEtag; etag <= end && whole < WholeMin;)
        {
            _aborted.ThrowIfCancellationRequested();
            StoredDocument document;
            try
            {
                DocumentCursor cursor = snapshot.DocumentsByEtag(etag);
                if (!cursor.MoveNext(out document))
                {
                    break;
                }
            }
            catch (StorageCorruptedException e)
            {
                damage = damagedFrom == 0 ? e.Message : damage;
                damagedFrom = damagedFrom == 0 ? etag : damagedFrom;
                etag++;
                continue;
            }

            if (damagedFrom != 0)
            {
                WriteDamage(damagedFrom, document.Etag - 1, damage);
                damagedFrom = 0;
            }

            if (!TryWrite(in document))
            {
                return false;
            }

            _lastEtag = document.Etag;
            etag = document.Etag + 1;
            whole++;
            if (_response.BufferedBytes > BufferedBytesMax)
            {
                return true;
            }
        }

        if (damagedFrom != 0)
        {
            WriteDamage(damagedFrom, etag - 1, damage);
            _lastEtag = etag - 1;
        }

        return whole == WholeMin;
    }

    private void WriteDamage(long firstEtag, long lastEtag, string message)
    {
        using var json = new Utf8JsonWriter(_response);
        json.WriteStartObject();
        json.WriteStartObject("@damaged"u8);
        json.WriteNumber("FirstEtag"u8, firstEtag);
        json.WriteNumber("LastEtag"u8, lastEtag);
        json.WriteString("Message"u8, message);
        json.WriteEndObject();
        json.WriteEndObject();
        json.Flush();
        _response.Write("\n"u8);
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
                // The id must outlive the snapshot.
                NativeSlice id = document.Id;
                id.Span.CopyTo(_lastIdBuffer.WritableSpan);
                _lastId = _lastIdBuffer.Slice(0, id.Length);
                return true;
            }
        }

        return false;
    }

    /// <summary>Writes a document, or skips it; false if enough were written.</summary>
    private bool TryWrite(in StoredDocument document)
    {
        if (_toSkip > 0)
        {
            _toSkip--;
            _skipped.Step();
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
