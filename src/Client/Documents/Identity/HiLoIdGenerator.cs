using System.Globalization;
using Raven.Client.Documents.Commands;
using Raven.Client.Exceptions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Identity;

/// <summary>
/// Ids of new documents without a request each: the server reserves ranges of numbers, larger ones to clients that use
/// them up faster. One for each database of a store; safe for all threads.
/// </summary>
internal sealed class HiLoIdGenerator(RequestExecutor executor)
{
    private readonly Dictionary<string, TagRange> _tags = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The next id of a tag, which is the first part of the ids of a collection.</summary>
    internal ValueTask<string> NextAsync(string tag, CancellationToken cancellationToken)
    {
        TagRange range = RangeOf(tag);
        return range.TryNext(out string? id)
            ? new ValueTask<string>(id)
            : new ValueTask<string>(BorrowAsync(tag, range, cancellationToken));
    }

    /// <summary>
    /// Gives back unused numbers, so that the next client continues there. A failure loses numbers, nothing else.
    /// </summary>
    internal async Task ReturnAsync()
    {
        TagRange[] ranges;
        lock (_tags)
        {
            ranges = [.. _tags.Values];
        }

        foreach (TagRange range in ranges)
        {
            if (range.TryTakeRest(out long last, out long end))
            {
                try
                {
                    await executor.ExecuteAsync(new HiLoReturnCommand(range.Tag, last, end)
                    {
                        Timeout = TimeSpan.FromSeconds(5),
                    }).ConfigureAwait(false);
                }
                catch (RavenException)
                {
                    // The server cannot be reached: the rest of the range is lost.
                    return;
                }
            }
        }
    }

    private TagRange RangeOf(string tag)
    {
        lock (_tags)
        {
            if (!_tags.TryGetValue(tag, out TagRange? range))
            {
                _tags[tag] = range = new TagRange(tag);
            }

            return range;
        }
    }

    private async Task<string> BorrowAsync(string tag, TagRange range, CancellationToken cancellationToken)
    {
        await range.Borrowing.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            string? id;
            while (!range.TryNext(out id))
            {
                var command = new NextHiLoCommand(tag, range.Last, executor.Conventions.IdentityPartsSeparator);
                HiLoRange? reserved = await executor.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
                range.Set(reserved!);
            }

            return id;
        }
        finally
        {
            range.Borrowing.Release();
        }
    }

    /// <summary>The unused numbers of one tag.</summary>
    private sealed class TagRange(string tag)
    {
        private readonly Lock _lock = new();
        private HiLoRange? _range;
        private long _next;

        internal string Tag => tag;

        internal SemaphoreSlim Borrowing { get; } = new(1, 1);

        internal HiLoRange? Last => _range;

        internal bool TryNext([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out string? id)
        {
            HiLoRange? range;
            long number;
            lock (_lock)
            {
                range = _range;
                number = _next;
                if (range is null || number > range.High)
                {
                    id = null;
                    return false;
                }

                _next++;
            }

            string text = number.ToString(CultureInfo.InvariantCulture);
            id = range.ServerTag is null ? range.Prefix + text : $"{range.Prefix}{text}-{range.ServerTag}";
            return true;
        }

        internal void Set(HiLoRange range)
        {
            lock (_lock)
            {
                _range = range;
                _next = range.Low;
            }
        }

        internal bool TryTakeRest(out long last, out long end)
        {
            lock (_lock)
            {
                last = _next - 1;
                end = _range?.High ?? -1;
                if (_range is null || last >= end)
                {
                    return false;
                }

                _next = end + 1;
                return true;
            }
        }
    }
}
