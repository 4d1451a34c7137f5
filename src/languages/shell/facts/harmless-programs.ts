/**
 * Programs and builtins that run no program that their arguments name, or of which other parts of this folder
 * know with which arguments they do. An argument of any other program counts as a program that may run.
 */
const HARMLESS: ReadonlySet<string> = new Set(
  [
    // Builtins.
    ': . [ [[ alias bg bind break builtin caller cd chdir compgen complete compopt continue declare dirs disown echo enable',
    'eval exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read',
    'readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait',
    // Files and text.
    'b2sum base32 base64 basename basenc cat chattr chcon chgrp chmod chown cksum cmp col colrm column comm cp csplit cut date',
    'dd df diff diff3 dir dircolors dirname dos2unix du echo egrep expand expr factor fallocate fgrep file find fmt fold free',
    'getfacl getfattr grep groups head hexdump hostid iconv id install join last lastb lastlog link ln locate logger logname',
    'look ls lsattr md5sum mkdir mkfifo mknod mktemp more mountpoint mv namei nl nproc numfmt od paste pathchk pinky pr ptx',
    'readlink realpath rename rev rm rmdir sdiff sed seq setfacl setfattr sha sha1sum sha224sum sha256sum sha384sum sha512sum',
    'shred shuf sleep sort split stat strings stty sum sync tac tail tee touch tr tree truncate tsort tty uname unexpand',
    'uniq unix2dos unlink updatedb users uuidgen vdir wc wdiff whereis which who whoami xxd yes ag rg fd bat exa awk gawk mawk nawk',
    'gsed grep jq yq xmllint xmlstarlet mlr envsubst tput clear reset cal ncal apropos whatis',
    // Archives.
    'tar bsdtar gtar cpio zip unzip zipinfo zcat zgrep zless zmore zdiff gzip gunzip bzip2 bunzip2 bzcat xz unxz xzcat lzma lz4',
    'zstd zstdcat unzstd pigz 7z 7za 7zr rar unrar ar ranlib nm objdump objcopy readelf strip size addr2line',
    // Processes, users and the system.
    'ps top htop pgrep pkill killall pidof pidwait pmap pwdx w uptime vmstat iostat mpstat sar dstat fuser lsof renice skill snice',
    'useradd userdel usermod groupadd groupdel groupmod gpasswd adduser addgroup deluser delgroup passwd chage chpasswd chfn chsh',
    'newusers pwck grpck getent id finger su runuser sudo loginctl hostname hostnamectl domainname dnsdomainname timedatectl',
    'localectl systemctl journalctl systemd-analyze systemd-escape systemd-tmpfiles systemd-sysusers systemd-detect-virt',
    'systemd-cgls systemd-cgtop systemd-notify systemd-delta resolvectl networkctl bootctl busctl service invoke-rc.d update-rc.d',
    'rc-service rc-update rc-status chkconfig initctl telinit init shutdown reboot halt poweroff dmesg sysctl modprobe insmod rmmod',
    'lsmod modinfo depmod udevadm lspci lsusb lscpu lsmem lsblk blkid blockdev findmnt mount umount swapon swapoff losetup fdisk',
    'sfdisk cfdisk parted partprobe gdisk sgdisk wipefs mkfs mke2fs mkswap fsck e2fsck xfs_repair xfs_growfs xfs_info resize2fs',
    'tune2fs dumpe2fs debugfs e2label btrfs zfs zpool mdadm pvs vgs lvs pvcreate vgcreate lvcreate lvextend lvremove vgextend',
    'pvresize pvdisplay vgdisplay lvdisplay vgremove pvremove lvresize cryptsetup dmsetup multipath smartctl hdparm nvme fstrim',
    'quota quotaon quotaoff repquota setquota edquota auditctl ausearch aureport getenforce setenforce sestatus restorecon semanage',
    'setsebool getsebool chcat semodule aa-status apparmor_parser locale locale-gen localedef update-locale dpkg-reconfigure',
    'update-alternatives alternatives update-grub grub-install grub-mkconfig update-initramfs dracut mkinitcpio efibootmgr hwclock',
    'ntpdate ntpq chronyc tuned-adm lsb_release dmidecode lshw inxi sensors numastat turbostat cpupower bpftool',
    'newgidmap newuidmap faillog wall write mesg tload slabtop prtstat ipcs ipcrm lslocks lslogins lsns lsipc chmem',
    // Networks.
    'ip ifconfig ifup ifdown ifquery route arp arping ping ping6 traceroute traceroute6 tracepath mtr netstat ss nstat ethtool iw',
    'iwconfig nmcli brctl bridge tc ipcalc ipset iptables ip6tables iptables-save ip6tables-save iptables-restore',
    'ip6tables-restore nft ufw firewall-cmd fail2ban-client conntrack dig host nslookup whois getent curl wget nc ncat netcat',
    'tcpdump tshark nmap iperf iperf3 openssl ssh-keygen ssh-keyscan ssh-add ssh-copy-id sshd scp sftp rsync sendmail',
    'certbot gpg gpg2 gpgv gpgconf apt-key keytool htpasswd update-ca-certificates update-ca-trust c_rehash wg wg-quick swanctl',
    // Servers and their clients.
    'nginx apachectl apache2ctl httpd a2enmod a2dismod a2ensite a2dissite a2enconf a2disconf php-fpm haproxy varnishadm named-checkconf',
    'rndc postfix postconf postmap postqueue postsuper newaliases exim mailq doveadm psql pg_dump pg_dumpall pg_restore pg_ctl',
    'pg_isready pg_lsclusters pg_ctlcluster pg_basebackup createdb dropdb createuser dropuser vacuumdb reindexdb initdb mysql',
    'mysqldump mysqladmin mysqlcheck mariadb mariadb-dump mariadb-admin redis-cli redis-server mongodump mongorestore memcached',
    'rabbitmqctl kafka-topics etcdctl influx clickhouse-client nodetool solr supervisorctl monit',
    'promtool amtool nagios zabbix_get zabbix_sender snmpwalk snmpget slappasswd ldapsearch ldapadd ldapmodify kinit klist',
    // Packages and builds.
    'apt apt-get apt-cache apt-mark aptitude dpkg dpkg-query dpkg-divert dpkg-statoverride dpkg-deb dpkg-trigger dpkg-maintscript-helper',
    'deb-systemd-helper deb-systemd-invoke rpm dnf yum zypper apk pacman snap flatpak brew pip pip3 pipx gem composer conda',
    'needrestart debconf-set-selections debconf-communicate debconf-show db_get db_set ucf ucfr ldconfig ldd git gcc g++ cc',
    'c++ cpp ld as clang javac jar gofmt mandb install-info update-mime-database update-desktop-database glib-compile-schemas',
    'gtk-update-icon-cache fc-cache py3compile py3clean pycompile add-shell remove-shell tzselect nohup env crontab',
    // Containers and clouds.
    'docker docker-compose podman podman-compose nerdctl crictl ctr buildah skopeo kubectl kubeadm kubelet helm kustomize minikube',
    'k3s kind oc virsh virt-install qemu-img VBoxManage vagrant lxc lxd incus machinectl aws gcloud gsutil az doctl hcloud',
    'linode-cli oci terraform tofu packer vault consul nomad s3cmd rclone restic borg velero mc flyctl heroku gh glab',
  ]
    .join(' ')
    .split(' '),
);

/** @param names the name of a program, as it is called and without its version */
export function isHarmless(...names: readonly string[]): boolean {
  return names.some((name) => HARMLESS.has(name));
}
