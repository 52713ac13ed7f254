// The controller of JobSet, without its webhooks and certificates: manifests have to state what its webhooks would fill in.
package main

import (
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/controllers"
)

func main() {
	ctrl.SetLogger(zap.New())
	log := ctrl.Log.WithName("jobset")
	fail := func(err error, what string) {
		if err != nil {
			log.Error(err, what)
			os.Exit(1)
		}
	}
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(jobset.AddToScheme(scheme))
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	fail(err, "no manager")
	ctx := ctrl.SetupSignalHandler()
	fail(controllers.SetupJobSetIndexes(ctx, mgr.GetFieldIndexer()), "no index")
	fail(controllers.NewJobSetReconciler(mgr.GetClient(), mgr.GetScheme(), mgr.GetEventRecorderFor("jobset")).SetupWithManager(mgr),
		"no controller")
	fail(mgr.Start(ctx), "ended")
}
