namespace Raven.Storage.GroupCommit;

/// <summary>Objects of writes that are complete, for later ones. Any thread.</summary>
internal sealed class PendingWritePool
{
    private const int IdleMax = 256;

    private readonly Lock _lock = new();
    private readonly Stack<PendingWrite> _idle = new(IdleMax);

    internal PendingWrite Rent(IWriteCommand command, WriterSignals? signals)
    {
        PendingWrite? write;
        lock (_lock)
        {
            _idle.TryPop(out write);
        }

        write ??= new PendingWrite(this);
        write.Begin(command, signals);
        return write;
    }

    internal void Return(PendingWrite write)
    {
        lock (_lock)
        {
            if (_idle.Count < IdleMax)
            {
                _idle.Push(write);
            }
        }
    }
}
