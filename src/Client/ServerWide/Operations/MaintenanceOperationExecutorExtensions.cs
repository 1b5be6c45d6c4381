using Raven.Client.Documents.Operations;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Gives access to operations on the server.</summary>
public static class MaintenanceOperationExecutorExtensions
{
    extension(MaintenanceOperationExecutor maintenance)
    {
        /// <summary>Operations on the server: databases, its version.</summary>
        public ServerOperationExecutor Server => new(maintenance.Store);
    }
}
