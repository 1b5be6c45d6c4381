namespace Raven.Storage.Transactions;

/// <summary>The writes that share a transaction, as a list in their order.</summary>
internal struct WriteGroup
{
    internal PendingWrite? First;
    internal PendingWrite? Last;
    internal int Count;
    internal long SizeInBytes;

    /// <summary>How often its leader has waited for more (MERGE-5).</summary>
    internal int Yields;

    /// <summary>True where the exception came out of a command, and not out of the environment.</summary>
    internal bool FailedInCommand;

    internal readonly bool HasRoom(int countMax, long bytesMax) => Count < countMax && SizeInBytes < bytesMax;

    internal void Add(PendingWrite write)
    {
        write.Next = null;
        if (Last is null)
        {
            First = write;
        }
        else
        {
            Last.Next = write;
        }

        Last = write;
        Count++;
        SizeInBytes += write.Command.SizeInBytes;
    }
}
