namespace Raven.Blittable.Contexts;

/// <summary>
/// What all contexts of a pool hold; read without stopping other threads, so the parts may differ by an operation.
/// </summary>
/// <param name="Contexts">Contexts alive, rented or idle.</param>
/// <param name="Rented">Contexts in use by an operation.</param>
/// <param name="UsedBytes">Bytes in use by operations.</param>
/// <param name="CommittedBytes">Memory that the contexts hold, used or not.</param>
/// <param name="HighWaterBytes">The most that a single context ever used.</param>
public readonly record struct OperationContextStatistics(
    int Contexts, int Rented, long UsedBytes, long CommittedBytes, long HighWaterBytes);
