namespace Raven.Documents.Patching;

/// <summary>What one query holds of <see cref="ScriptTextBudget"/>. One thread at a time.</summary>
/// <param name="texts">The whole.</param>
/// <param name="waits">Whether the query can wait; one that cannot takes what it needs, and others wait for it.</param>
internal sealed class ScriptTextReservation(ScriptTextBudget texts, bool waits)
{
    private long _smallBytes;
    private long _heldBytes;
    private long _unusedBytes;
    private long _wantedBytes;

    /// <summary>Whether it holds something.</summary>
    internal bool IsHeld => _heldBytes > 0;

    /// <summary>Whether there are texts, though small ones.</summary>
    internal bool IsUsed => _heldBytes + _smallBytes > 0;

    /// <summary>Takes bytes for a text; false if it is to be waited for first. Small ones count together.</summary>
    internal bool TryTake(long bytes)
    {
        _smallBytes += bytes;
        if (_smallBytes < ScriptTextBudget.CountedBytesMin)
        {
            return true;
        }

        bytes = _smallBytes;
        _smallBytes = 0;
        if (_unusedBytes >= bytes)
        {
            _unusedBytes -= bytes;
            return true;
        }

        if (!IsHeld && waits)
        {
            if (!texts.TryTake(bytes))
            {
                _wantedBytes = bytes;
                return false;
            }
        }
        else
        {
            texts.Take(bytes);
        }

        _heldBytes += bytes;
        return true;
    }

    /// <summary>Waits for what could not be taken.</summary>
    internal async Task WaitAsync(CancellationToken cancellation)
    {
        await texts.TakeAsync(_wantedBytes, cancellation).ConfigureAwait(false);
        _smallBytes = 0;
        _heldBytes = _wantedBytes;
        _unusedBytes = _wantedBytes;
    }

    /// <summary>Gives all back.</summary>
    internal void GiveBack()
    {
        if (IsHeld)
        {
            texts.Give(_heldBytes);
        }

        _smallBytes = 0;
        _heldBytes = 0;
        _unusedBytes = 0;
    }
}
